# Starts the connection of a device. Show the user verification_uri and user_code from the response.
curl -sS "{{authUrl}}/api/oauth/device" \
  --user "{{clientId}}:$CLIENT_SECRET" \{{confidential}}
  -d "client_id={{clientId}}" \
  -d "scope={{scopeEncoded}}"

# Repeat every 5 seconds with device_code from the response, until the user has decided:
curl -sS "{{authUrl}}/api/oauth/token" \
  --user "{{clientId}}:$CLIENT_SECRET" \{{confidential}}
  -d grant_type=urn:ietf:params:oauth:grant-type:device_code \
  -d "client_id={{clientId}}" \
  -d "device_code=$DEVICE_CODE"
