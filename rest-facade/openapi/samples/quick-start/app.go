// Connects an account to your app. Start it with `{{secretVariable}}go run app.go`, then open {{startUrl}}
// {{origin}} must pass its requests to {{listen}}, where this program listens. {{remote}}
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os" // {{confidential}}
	"strings"
)

const (
	service     = "{{authUrl}}"
	clientID    = "{{clientId}}"
	redirectURI = "{{redirectUri}}"
	scope       = "{{scope}}"
)

func random() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func readJSON(request *http.Request, value any) error {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s", response.Status, body)
	}
	return json.Unmarshal(body, value)
}

// connect sends the browser to the sign-in. The cookie ties the response to this browser.
func connect(w http.ResponseWriter, r *http.Request) {
	state, verifier := random(), random()
	challenge := sha256.Sum256([]byte(verifier))
	parameters := url.Values{
		"response_type":         {"code"},
		"client_id":             {clientID},
		"redirect_uri":          {redirectURI},
		"scope":                 {scope},
		"state":                 {state},
		"code_challenge":        {base64.RawURLEncoding.EncodeToString(challenge[:])},
		"code_challenge_method": {"S256"},
	}
	value := state + "." + verifier
	http.SetCookie(w, &http.Cookie{Name: "connect", Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	http.Redirect(w, r, service+"/login/oauth/authorize?"+parameters.Encode(), http.StatusFound)
}

// callback exchanges the code for tokens, and reads the account.
func callback(r *http.Request) (account map[string]any, err error) {
	query := r.URL.Query()
	if query.Has("error") {
		return nil, errors.New(query.Get("error") + ": " + query.Get("error_description"))
	}
	cookie, err := r.Cookie("connect")
	if err != nil {
		return nil, errors.New("Start again.")
	}
	state, verifier, _ := strings.Cut(cookie.Value, ".")
	if query.Get("state") != state || query.Get("iss") != service {
		return nil, errors.New("Start again.")
	}
	form := url.Values{
		"grant_type":    {"authorization_code"},
		"client_id":     {clientID},
		"code":          {query.Get("code")},
		"redirect_uri":  {redirectURI},
		"code_verifier": {verifier},
	}
	request, err := http.NewRequest("POST", service+"/api/oauth/token", strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(clientID, os.Getenv("CLIENT_SECRET")) // {{confidential}}
	var tokens struct {
		AccessToken string `json:"access_token"`
	}
	if err := readJSON(request, &tokens); err != nil {
		return nil, err
	}
	request, err = http.NewRequest("GET", service+"/api/v1/user", nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+tokens.AccessToken)
	err = readJSON(request, &account)
	return account, err
}

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		isCallback := r.URL.EscapedPath() == "{{callbackPath}}" && r.URL.Query().Has("state")
		if !isCallback && r.URL.Path == "/" {
			connect(w, r)
			return
		}
		if !isCallback {
			http.NotFound(w, r)
			return
		}
		account, err := callback(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(account)
	})
	fmt.Println("Open {{startUrl}}")
	log.Fatal(http.ListenAndServe("{{listen}}", nil))
}
