// Lists and calls the tools of an MCP server with the official Go SDK, and prints one line. Exits with 1 if an answer is wrong.
//
//	go run mcp-client.go http://127.0.0.1:3000/mcp
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type call struct {
	name      string
	arguments map[string]any
}

const post = "https://x.com/jack/status/20"

var calls = []call{
	{"x_get_post", map[string]any{"url": post}},
	{"x_get_posts", map[string]any{"ids": []string{"20", post}}},
	{"x_get_profile", map[string]any{"handle": "ada_larsson", "limit": 3}},
	{"x_list_posts", map[string]any{"handle": "ada_larsson", "limit": 3}},
	{"x_list_followers", map[string]any{"handle": "ada_larsson", "limit": 3}},
	{"x_list_following", map[string]any{"handle": "ada_larsson", "limit": 3}},
	{"x_search_posts", map[string]any{"q": "tide", "limit": 3}},
	{"x_list_replies", map[string]any{"id": "2028036267832246272", "kind": "quotes"}},
}

func textOf(result *mcp.CallToolResult) string {
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		log.Fatalf("no text: %v", result.Content)
	}
	return text.Text
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "client-of-a-test", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: os.Args[1]}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	tools, err := session.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != len(calls) {
		log.Fatalf("tools: %v %v", tools, err)
	}
	for _, given := range calls {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: given.name, Arguments: given.arguments})
		if err != nil || result.IsError || !strings.HasPrefix(textOf(result), "The quoted lines below come from X") {
			log.Fatalf("%s: %v %v", given.name, result, err)
		}
	}
	failed, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "x_get_post", Arguments: map[string]any{"url": "https://x.com/jack"}})
	if err != nil || !failed.IsError || !strings.Contains(textOf(failed), "x_get_profile") {
		log.Fatalf("a wrong link: %v %v", failed, err)
	}
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "x_write_post"}); err == nil {
		log.Fatal("an unknown tool is no error")
	}
	fmt.Printf("the Go SDK lists %d tools and calls each, with revision %s\n", len(tools.Tools), session.InitializeResult().ProtocolVersion)
}
