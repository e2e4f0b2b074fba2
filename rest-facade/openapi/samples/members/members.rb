# Prints the email addresses of the members of a team:
#   SERVICE_URL=https://auth.example.com TOKEN=… TEAM=acme ruby members.rb
require 'json'
require 'net/http'

def read(url, attempt = 1)
  response = Net::HTTP.get_response(URI(url), 'Authorization' => "Bearer #{ENV.fetch('TOKEN')}")
  status = response.code.to_i
  return JSON.parse(response.body) if status == 200
  is_temporary = status == 429 || status >= 500
  abort "#{status} #{response.body}" if !is_temporary || attempt == 5
  sleep Float(response['Retry-After'] || 2**(attempt - 1))
  read(url, attempt + 1)
end

url = "#{ENV.fetch('SERVICE_URL')}/api/v1/teams/#{ENV.fetch('TEAM')}/members?per_page=100"
while url
  page = read(url)
  page['data'].each { |member| puts member['email'] }
  url = page['links']['next']
end
