// Reads the teams that the app can access, with a token for 15 minutes. Needs no package: run it with Go 1.18 or later.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

const issuer = "{{authUrl}}"

func call(request *http.Request) []byte {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		log.Fatal(request.URL, " responded with ", response.Status, ": ", string(body))
	}
	return body
}

func main() {
	request, err := http.NewRequest("POST", issuer+"/api/oauth/token", strings.NewReader("grant_type=client_credentials"))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth("{{clientId}}", os.Getenv("CLIENT_SECRET"))
	var tokens struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(call(request), &tokens); err != nil {
		log.Fatal(err)
	}
	request, err = http.NewRequest("GET", issuer+"/api/v1/teams", nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+tokens.AccessToken)
	fmt.Println(string(call(request)))
}
