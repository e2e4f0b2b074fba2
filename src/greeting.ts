export interface Greeting {
  authUrl: string
  /** Whether kept mails can be read over HTTP. */
  hasMailbox: boolean
}

/** What the operator is told once the service answers: where everything is. */
export function greeting({ authUrl, hasMailbox }: Greeting): string {
  const addresses = [
    ['Account site', '/'],
    ['REST API', '/api'],
    ['API documentation', '/api/docs'],
    ['GraphQL', '/graphql'],
    ...(hasMailbox ? [['Mails', '/dev/mail']] : []),
  ] as const
  const lines = addresses.map(([name, path]) => `  ${name.padEnd(20)}${authUrl}${path}`)
  return `\nThe team account service is running.\n\n${lines.join('\n')}\n\n`
}
