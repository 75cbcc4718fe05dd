// Reads answers through a client that openapi-generator generated.
//
//	read_answers BASE_URL
//
// Prints one JSON line per answer, as the client would write it: a lookup, an article, a profile and a problem document.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"

	postern "example.com/postern/client"
)

func print(written any, err error) {
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(written); err != nil {
		log.Fatal(err)
	}
}

func main() {
	configuration := postern.NewConfiguration()
	configuration.Servers = postern.ServerConfigurations{{URL: os.Args[1]}}
	client := postern.NewAPIClient(configuration)
	posts := client.PostsAPI
	background := context.Background()

	lookup, _, err := posts.LookupPosts(background).Ids("20,1990000000000000001").Format("json").Execute()
	print(lookup, err)
	article, _, err := posts.ReadPost(background).Handle("i").Id("2033845798302647530").Thread("off").Format("json").Execute()
	print(article, err)
	profile, _, err := client.ProfilesAPI.ReadProfile(background, "haru_k").Format("json").Execute()
	print(profile, err)
	_, _, err = posts.ReadPost(background).Handle("i").Id("1990000000000000001").Format("json").Execute()
	var failure *postern.GenericOpenAPIError
	if !errors.As(err, &failure) {
		log.Fatal(err)
	}
	print(failure.Model(), nil)
}
