# Prints the email addresses of the members of a team:
#   SERVICE_URL=https://auth.example.com TOKEN=… TEAM=acme python3 members.py
import json, os, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def read(url, attempt=1):
    request = Request(url, headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})
    try:
        with urlopen(request) as response:
            return json.load(response)
    except HTTPError as error:
        is_temporary = error.code == 429 or error.code >= 500
        if not is_temporary or attempt == 5:
            raise SystemExit(f"{error.code} {error.read().decode()}")
        time.sleep(float(error.headers.get("Retry-After", 2 ** (attempt - 1))))
    return read(url, attempt + 1)


url = f"{os.environ['SERVICE_URL']}/api/v1/teams/{os.environ['TEAM']}/members?per_page=100"
while url:
    page = read(url)
    for member in page["data"]:
        print(member["email"])
    url = page["links"]["next"]
