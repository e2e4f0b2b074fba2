# Drives a service through the client that openapi-generator wrote for Ruby.
require 'json'
require 'uri'
require 'openapi_client'
include OpenapiClient

TEAM = ENV.fetch('TEAM')

def connect(token, url = ENV.fetch('API_URL'))
  server = URI(url)
  configuration = Configuration.new
  configuration.scheme = server.scheme
  configuration.host = "#{server.host}:#{server.port}"
  configuration.base_path = server.path
  configuration.access_token = token
  # Otherwise Ethon adds an index to the names of lists: expand[][0].
  configuration.params_encoding = :multi
  ApiClient.new(configuration)
end

def report(step, results)
  puts JSON.generate({ step: step, **results })
end

def report_error(step)
  yield
rescue ApiError => e
  body = JSON.parse(e.response_body)
  results = { status: e.code, code: body['code'] }
  results[:errors] = body['errors'] if step == 'invalid'
  results[:seconds] = Integer(e.response_headers['Retry-After']) if step == 'rate limit'
  report(step, results)
end

client = connect(ENV.fetch('TOKEN'))
teams, members, invoices = TeamsApi.new(client), MembersApi.new(client), InvoicesApi.new(client)

emails = []
page = 1
while page
  result = members.v1_teams_members_index(TEAM, page: page, per_page: 2)
  emails += result.data.map(&:email)
  page = result.links._next ? page + 1 : nil
end
report('pages', emails: emails)

invoice = invoices.v1_teams_invoices_index(TEAM, sort: 'asc', expand: ['lines']).data.first
report('expand', lines: invoice.lines.map(&:description), total: invoice.total)
report('filter', numbers: invoices.v1_teams_invoices_index(TEAM, app_id: Application::DEPLOY).data.map(&:number))

report_error('unauthenticated') { TeamsApi.new(connect('unknown')).v1_teams_show(TEAM) }
report_error('forbidden') { MembersApi.new(connect(ENV.fetch('LIMITED_SCOPE_TOKEN'))).v1_teams_members_index(TEAM) }
report_error('not found') { members.v1_teams_members_show(TEAM, 'unknown') }
blank = V1TeamsUpdateRequest.new(name: ' ')
report_error('invalid') { teams.v1_teams_update(TEAM, v1_teams_update_request: blank) }

etag = teams.v1_teams_show_with_http_info(TEAM)[2]['ETag']
renamed = { if_match: etag, v1_teams_update_request: V1TeamsUpdateRequest.new(name: 'Renamed') }
report('update', name: teams.v1_teams_update(TEAM, renamed).name)
report_error('conflict') { teams.v1_teams_update(TEAM, renamed) }

invitation = V1TeamsInvitationsStoreRequest.new(email: ENV.fetch('INVITED'), role: Role::MEMBER)
first, second = Array.new(2) do
  InvitationsApi.new(client).v1_teams_invitations_store_with_http_info(TEAM, invitation, idempotency_key: 'ruby')
end
report('repeat', statuses: [first[1], second[1]], replayed: second[2]['Idempotency-Replayed'])

limited = TeamsApi.new(connect(ENV.fetch('RATE_LIMITED_TOKEN'), ENV.fetch('RATE_LIMITED_URL')))
limited.v1_teams_index
report_error('rate limit') { limited.v1_teams_index }
