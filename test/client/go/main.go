// Calls operations through a client that oapi-codegen generated.
//
//	main BASE_URL CALLS_FILE
//
// Prints one JSON line per call: the status, the type of the parsed answer, the answer as the client would write it, and
// the answer as it was received.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"

	"example.com/client/postern"
)

type call struct {
	OperationID string         `json:"operationId"`
	Route       string         `json:"route"`
	Path        map[string]any `json:"path"`
	Query       map[string]any `json:"query"`
	Header      map[string]any `json:"header"`
	Body        any            `json:"body"`
}

type result struct {
	Status   int    `json:"status"`
	Type     string `json:"type"`
	Written  any    `json:"written"`
	Received string `json:"received"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// decode gives the target the value, by the JSON names of its members.
func decode(value any, target reflect.Value) {
	text, err := json.Marshal(value)
	check(err)
	check(json.Unmarshal(text, target.Interface()))
}

var (
	variable = regexp.MustCompile(`\{([a-z]+)\}`)
	part     = regexp.MustCompile(`(?:^|_)[a-z]`)
)

// methodName is the Go name of an operation: ReadPostPermalinkPhoto for readPostPermalink_photo.
func methodName(operationID string) string {
	return part.ReplaceAllStringFunc(operationID, func(start string) string {
		return strings.ToUpper(strings.TrimPrefix(start, "_"))
	}) + "WithResponse"
}

// arguments are the context, the variables of the path in their order, the parameters, and the body.
func arguments(method reflect.Type, wanted call) []reflect.Value {
	values := []reflect.Value{reflect.ValueOf(context.Background())}
	for _, found := range variable.FindAllStringSubmatch(wanted.Route, -1) {
		value := reflect.New(method.In(len(values)))
		decode(wanted.Path[found[1]], value)
		values = append(values, value.Elem())
	}
	parameters := map[string]any{}
	for name, value := range wanted.Query {
		parameters[name] = value
	}
	for name, value := range wanted.Header {
		parameters[name] = value
	}
	remaining := method.NumIn() - len(values) - 1 // without the editors of the request
	if wanted.Body != nil {
		remaining--
	}
	if remaining > 0 {
		value := reflect.New(method.In(len(values)).Elem())
		decode(parameters, value)
		values = append(values, value)
	}
	if wanted.Body != nil {
		value := reflect.New(method.In(len(values)))
		decode(wanted.Body, value)
		values = append(values, value.Elem())
	}
	return values
}

func resultOf(response reflect.Value) result {
	body := response.FieldByName("Body").Bytes()
	answer := response.FieldByName("HTTPResponse").Interface().(*http.Response)
	found := result{Status: answer.StatusCode, Received: string(body)}
	suffix := fmt.Sprintf("JSON%d", answer.StatusCode)
	for index := range response.NumField() {
		field := response.Field(index)
		if strings.HasSuffix(response.Type().Field(index).Name, suffix) && !field.IsNil() {
			found.Type = field.Type().Elem().Name()
			found.Written = field.Interface()
		}
	}
	return found
}

func main() {
	client, err := postern.NewClientWithResponses(os.Args[1])
	check(err)
	text, err := os.ReadFile(os.Args[2])
	check(err)
	var calls []call
	check(json.Unmarshal(text, &calls))
	output := json.NewEncoder(os.Stdout)
	for _, wanted := range calls {
		method := reflect.ValueOf(client).MethodByName(methodName(wanted.OperationID))
		if !method.IsValid() {
			check(fmt.Errorf("the client has no method for %s", wanted.OperationID))
		}
		values := method.Call(arguments(method.Type(), wanted))
		if err, failed := values[1].Interface().(error); failed {
			check(fmt.Errorf("%s: %w", wanted.OperationID, err))
		}
		check(output.Encode(resultOf(values[0].Elem())))
	}
}
