# Drives a service through the client that openapi-generator wrote for Python.
import json
import os

import openapi_client as api

team = os.environ["TEAM"]


def connect(token, host=None):
    configuration = api.Configuration(host=host)
    configuration.access_token = token
    # By default urllib3 waits for the seconds in Retry-After and sends the request again.
    configuration.retries = False
    return api.ApiClient(configuration)


def report(step, **results):
    print(json.dumps({"step": step, **results}))


def report_error(step, call, **results):
    try:
        call()
    except api.ApiException as error:
        body = json.loads(error.body)
        report(step, status=error.status, code=body["code"], **{name: read(error, body) for name, read in results.items()})


client = connect(os.environ["TOKEN"])
teams, members, invoices = api.TeamsApi(client), api.MembersApi(client), api.InvoicesApi(client)

emails, page = [], 1
while page:
    result = members.v1_teams_members_index(team, page=page, per_page=2)
    emails += [member.email for member in result.data]
    page = page + 1 if result.links.next else None
report("pages", emails=emails)

invoice = invoices.v1_teams_invoices_index(team, sort="asc", expand=["lines"]).data[0]
report("expand", lines=[line.description for line in invoice.lines], total=invoice.total)
report("filter", numbers=[each.number for each in invoices.v1_teams_invoices_index(team, app_id=api.Application.DEPLOY).data])

report_error("unauthenticated", lambda: api.TeamsApi(connect("unknown")).v1_teams_show(team))
report_error("forbidden", lambda: api.MembersApi(connect(os.environ["LIMITED_SCOPE_TOKEN"])).v1_teams_members_index(team))
report_error("not found", lambda: members.v1_teams_members_show(team, "unknown"))
blank = api.V1TeamsUpdateRequest(name=" ")
report_error("invalid", lambda: teams.v1_teams_update(team, v1_teams_update_request=blank), errors=lambda _, body: body["errors"])

etag = teams.v1_teams_show_with_http_info(team)[2]["ETag"]
renamed = api.V1TeamsUpdateRequest(name="Renamed")
report("update", name=teams.v1_teams_update(team, if_match=etag, v1_teams_update_request=renamed).name)
report_error("conflict", lambda: teams.v1_teams_update(team, if_match=etag, v1_teams_update_request=renamed))

invitation = api.V1TeamsInvitationsStoreRequest(email=os.environ["INVITED"], role=api.Role.MEMBER)
store = api.InvitationsApi(client).v1_teams_invitations_store_with_http_info
first, second = (store(team, invitation, idempotency_key="python") for _ in range(2))
report("repeat", statuses=[first[1], second[1]], replayed=second[2].get("Idempotency-Replayed"))

limited = api.TeamsApi(connect(os.environ["RATE_LIMITED_TOKEN"], os.environ["RATE_LIMITED_URL"]))
limited.v1_teams_index()
report_error("rate limit", limited.v1_teams_index, seconds=lambda error, _: int(error.headers["Retry-After"]))
