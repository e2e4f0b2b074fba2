import type { Demo } from './demo/demo.ts'

export interface Greeting {
  authUrl: string
  /** Whether kept mails can be read over HTTP. */
  hasMailbox: boolean
  /** What opens the demo team, on the very first start alone. */
  demo: Demo | undefined
}

/** What the operator is told once the service answers: where everything is. */
export function greeting({ authUrl, hasMailbox, demo }: Greeting): string {
  const addresses = [
    ['Account site', '/'],
    ['REST API', '/api/v1'],
    ['API documentation', '/api/docs'],
    ['GraphQL', '/graphql'],
    ...(hasMailbox ? [['Mails', '/dev/mail']] : []),
  ] as const
  const lines = addresses.map(([name, path]) => `  ${name.padEnd(20)}${authUrl}${path}`)
  const opening = demo
    ? `There is a demo team, acme. Try (this token is shown once):\n\n  curl -H "Authorization: Bearer ${demo.token}" ${authUrl}/api/v1/teams/acme\n\n` +
      `Its owner signs in as ${demo.email} with the password ${demo.password} (shown once too).\n\n`
    : ''
  return `\nThe team account service is running.\n\n${lines.join('\n')}\n\n${opening}`
}
