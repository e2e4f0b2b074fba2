// Prints the email addresses of the members of a team:
//
//	SERVICE_URL=https://auth.example.com TOKEN=… TEAM=acme go run members.go
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

type page struct {
	Data  []struct{ Email string }
	Links struct{ Next *string }
}

func read(url string, attempt int) (result page) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
			log.Fatal(err)
		}
		return result
	}
	isTemporary := response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500
	if !isTemporary || attempt == 5 {
		body, _ := io.ReadAll(response.Body)
		log.Fatalf("%d %s", response.StatusCode, body)
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil {
		seconds = 1 << (attempt - 1)
	}
	time.Sleep(time.Duration(seconds) * time.Second)
	return read(url, attempt+1)
}

func main() {
	url := os.Getenv("SERVICE_URL") + "/api/v1/teams/" + os.Getenv("TEAM") + "/members?per_page=100"
	for next := &url; next != nil; {
		members := read(*next, 1)
		for _, member := range members.Data {
			fmt.Println(member.Email)
		}
		next = members.Links.Next
	}
}
