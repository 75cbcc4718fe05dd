"""Reads answers through a client that openapi-generator generated.

python read_answers.py CLIENT_FOLDER BASE_URL

Prints one JSON line per answer, as the client would write it: a lookup, an article, a profile and a problem document.
"""
import sys

sys.path.insert(0, sys.argv[1])
import openapi_client as client

connection = client.ApiClient(client.Configuration(host=sys.argv[2]))
posts = client.PostsApi(connection)
profiles = client.ProfilesApi(connection)

print(posts.lookup_posts(ids="20,1990000000000000001", format="json").to_json())
print(posts.read_post(handle="i", id="2033845798302647530", thread="off", format="json").to_json())
print(profiles.read_profile(handle="haru_k", format="json").to_json())
try:
    posts.read_post(handle="i", id="1990000000000000001", format="json")
except client.exceptions.NotFoundException as error:
    print(error.data.to_json())
