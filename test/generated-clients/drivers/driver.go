// Drives a service through the client that openapi-generator wrote for Go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"

	"openapi"
)

var team = os.Getenv("TEAM")

func authorize(token string) context.Context {
	return context.WithValue(context.Background(), openapi.ContextAccessToken, token)
}

func report(step string, results map[string]interface{}) {
	results["step"] = step
	line, err := json.Marshal(results)
	check(err)
	fmt.Println(string(line))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func reportError(step string, response *http.Response, err error) {
	failure, ok := err.(openapi.GenericOpenAPIError)
	if !ok {
		log.Fatalf("%s: %v", step, err)
	}
	var body struct {
		Code   string
		Errors map[string][]string
	}
	check(json.Unmarshal(failure.Body(), &body))
	results := map[string]interface{}{"status": response.StatusCode, "code": body.Code}
	if step == "invalid" {
		results["errors"] = body.Errors
	}
	if step == "rate limit" {
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		check(err)
		results["seconds"] = seconds
	}
	report(step, results)
}

func main() {
	client := openapi.NewAPIClient(openapi.NewConfiguration())
	owner := authorize(os.Getenv("TOKEN"))

	emails := []string{}
	for page := int32(1); page > 0; page++ {
		result, _, err := client.MembersApi.V1TeamsMembersIndex(owner, team).Page(page).PerPage(2).Execute()
		check(err)
		for _, member := range result.GetData() {
			emails = append(emails, member.GetEmail())
		}
		if result.Links.Next.Get() == nil {
			break
		}
	}
	report("pages", map[string]interface{}{"emails": emails})

	invoices, _, err := client.InvoicesApi.V1TeamsInvoicesIndex(owner, team).Sort("asc").Expand([]string{"lines"}).Execute()
	check(err)
	invoice := invoices.Data[0]
	lines := []string{}
	for _, line := range invoice.GetLines() {
		lines = append(lines, line.GetDescription())
	}
	report("expand", map[string]interface{}{"lines": lines, "total": invoice.GetTotal()})
	filtered, _, err := client.InvoicesApi.V1TeamsInvoicesIndex(owner, team).AppId(openapi.APPLICATION_DEPLOY).Execute()
	check(err)
	numbers := []string{}
	for _, each := range filtered.GetData() {
		numbers = append(numbers, each.GetNumber())
	}
	report("filter", map[string]interface{}{"numbers": numbers})

	_, response, err := client.TeamsApi.V1TeamsShow(authorize("unknown"), team).Execute()
	reportError("unauthenticated", response, err)
	_, response, err = client.MembersApi.V1TeamsMembersIndex(authorize(os.Getenv("LIMITED_SCOPE_TOKEN")), team).Execute()
	reportError("forbidden", response, err)
	_, response, err = client.MembersApi.V1TeamsMembersShow(owner, team, "unknown").Execute()
	reportError("not found", response, err)
	change := openapi.V1TeamsUpdateRequest{}
	change.SetName(" ")
	_, response, err = client.TeamsApi.V1TeamsUpdate(owner, team).V1TeamsUpdateRequest(change).Execute()
	reportError("invalid", response, err)

	_, response, err = client.TeamsApi.V1TeamsShow(owner, team).Execute()
	check(err)
	change.SetName("Renamed")
	update := client.TeamsApi.V1TeamsUpdate(owner, team).IfMatch(response.Header.Get("ETag")).V1TeamsUpdateRequest(change)
	updated, _, err := update.Execute()
	check(err)
	report("update", map[string]interface{}{"name": updated.GetName()})
	_, response, err = update.Execute()
	reportError("conflict", response, err)

	invitation := openapi.NewV1TeamsInvitationsStoreRequest(os.Getenv("INVITED"), openapi.ROLE_MEMBER)
	store := client.InvitationsApi.V1TeamsInvitationsStore(owner, team).IdempotencyKey("go").V1TeamsInvitationsStoreRequest(*invitation)
	first, err := store.Execute()
	check(err)
	second, err := store.Execute()
	check(err)
	statuses := []int{first.StatusCode, second.StatusCode}
	report("repeat", map[string]interface{}{"statuses": statuses, "replayed": second.Header.Get("Idempotency-Replayed")})

	configuration := openapi.NewConfiguration()
	configuration.Servers[0].URL = os.Getenv("RATE_LIMITED_URL")
	limited := openapi.NewAPIClient(configuration).TeamsApi.V1TeamsIndex(authorize(os.Getenv("RATE_LIMITED_TOKEN")))
	_, _, err = limited.Execute()
	check(err)
	_, response, err = limited.Execute()
	reportError("rate limit", response, err)
}
