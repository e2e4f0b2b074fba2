#!/bin/sh
# Connects an account from a terminal, step by step: sh connect.sh
set -eu
verifier=$(openssl rand -hex 32)
state=$(openssl rand -hex 16)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d =)

echo 'Open this URL in a browser:'
echo "{{authUrl}}/login/oauth/authorize?response_type=code&client_id={{clientId}}&redirect_uri={{redirectUriEncoded}}&scope={{scopeEncoded}}&state=$state&code_challenge=$challenge&code_challenge_method=S256"
echo 'The browser returns to your redirect URI. Copy the value of code from its URL.'
printf 'Code: '
read -r code

curl -sS "{{authUrl}}/api/oauth/token" \
  --user "{{clientId}}:$CLIENT_SECRET" \{{confidential}}
  -d grant_type=authorization_code \
  -d "client_id={{clientId}}" \
  -d "code=$code" \
  -d "redirect_uri={{redirectUriEncoded}}" \
  -d "code_verifier=$verifier"
