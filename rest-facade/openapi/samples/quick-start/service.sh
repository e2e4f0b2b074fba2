# Gets an access token of the team, which is valid for 15 minutes. Request another one when it expires.
curl -sS "{{authUrl}}/api/oauth/token" \
  --user "{{clientId}}:$CLIENT_SECRET" \
  -d grant_type=client_credentials

# Use it:
curl -sS "{{authUrl}}/api/v1/teams" -H "Authorization: Bearer $ACCESS_TOKEN"
