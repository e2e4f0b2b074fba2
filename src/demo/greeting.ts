import type { Config } from '../config/settings.ts'
import { linkedDataFolder } from '../database/embedded/data-location.ts'
import type { Demo } from './demo.ts'

export interface Greeting {
  authUrl: string
  dataDir: string
  /** Folder to which `dataDir` is a link, if PostgreSQL's user cannot enter `dataDir`. */
  linkedDataFolder: string | undefined
  /** True if stored mails can be read over HTTP. */
  hasMailbox: boolean
  /** The demo data; set only on the first start. */
  demo: Demo | undefined
}

/** Prints the greeting of a service that is ready. */
export function greet({ authUrl, dataDir, databaseUrl }: Config, { hasMailbox, demo }: Pick<Greeting, 'hasMailbox' | 'demo'>): void {
  const linked = databaseUrl ? undefined : linkedDataFolder(dataDir)
  process.stdout.write(greeting({ authUrl, dataDir, linkedDataFolder: linked, hasMailbox, demo }))
}

/** Returns the text for a ready service: its addresses and, on the first start, the demo team's credentials. */
export function greeting({ authUrl, dataDir, linkedDataFolder, hasMailbox, demo }: Greeting): string {
  const addresses = [
    ['Account site', '/'],
    ['REST API', '/api/v1'],
    ['API reference', '/api/docs'],
    ['GraphQL', '/graphql'],
    ...(hasMailbox ? [['Emails', '/dev/mail']] : []),
  ] as const
  const lines = addresses.map(([name, path]) => `  ${name.padEnd(20)}${authUrl}${path}`)
  const demoTeam = demo
    ? `There is a demo team, acme. Try (this token is shown once):\n\n  curl -H "Authorization: Bearer ${demo.token}" ${authUrl}/api/v1/teams/acme\n\n` +
      `Its owner signs in as ${demo.email} with the password ${demo.password} (also shown once).\n\n`
    : ''
  const dataFolder = linkedDataFolder
    ? `Its data, with the secret key, is in ${linkedDataFolder}: the service runs as root, and PostgreSQL’s user cannot\n` +
      `enter ${dataDir}, which is a link to it. Without the link, the next start creates new, empty data.\n\n`
    : ''
  return `\nThe team account service is running.\n\n${lines.join('\n')}\n\n${dataFolder}${demoTeam}`
}
