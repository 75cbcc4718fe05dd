// Reads answers through a client that openapi-generator generated.
//
//   java ReadAnswers BASE_URL
//
// Prints one JSON line per answer, as the client would write it: a lookup, an article, a profile and a problem document.

import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.PostsApi;
import org.openapitools.client.api.ProfilesApi;
import org.openapitools.client.model.PostBody;
import org.openapitools.client.model.Problem;

public class ReadAnswers {
  private static PostBody readPost(PostsApi posts, String id) throws ApiException {
    return posts.readPost(null, "i", id, "json", "off", null, null, null, null, null, null, null, null, null);
  }

  private static void print(Object answer) {
    System.out.println(JSON.getGson().toJson(answer));
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(args[0]);
    PostsApi posts = new PostsApi(client);
    print(posts.lookupPosts("20,1990000000000000001", "json", null, null, null));
    print(readPost(posts, "2033845798302647530"));
    print(new ProfilesApi(client).readProfile("haru_k", null, "json", null, null, null, null, null, null, null));
    try {
      readPost(posts, "1990000000000000001");
    } catch (ApiException failure) {
      print(Problem.fromJson(failure.getResponseBody()));
    }
  }
}
