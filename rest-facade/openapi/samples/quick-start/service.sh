# Gets an access token of the team. It works for 15 minutes; get another one when it has expired.
curl -sS "{{authUrl}}/api/oauth/token" \
  --user "{{clientId}}:$CLIENT_SECRET" \
  -d grant_type=client_credentials

# Use it:
curl -sS "{{authUrl}}/api/v1/teams" -H "Authorization: Bearer $ACCESS_TOKEN"
