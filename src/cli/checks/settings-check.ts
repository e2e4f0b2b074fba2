import type { Config } from '../../config/settings.ts'
import { misspelledSettings } from '../../config/misspelled-settings.ts'
import { currentTerminal } from '../terminal/terminal.ts'
import type { Check, CheckProblem } from './check.ts'

interface Rule extends CheckProblem {
  isBroken(config: Config): boolean
}

const isProduction = ({ nodeEnv }: Config) => nodeEnv === 'production'
const isHttps = ({ authUrl }: Config) => authUrl.startsWith('https:')

const rules: readonly Rule[] = [
  {
    problem: 'AUTH_URL is not https, so passwords and tokens are sent unencrypted',
    action: 'serve the service through a proxy with TLS, and set AUTH_URL to its https address',
    isBroken: (config) => isProduction(config) && !isHttps(config),
  },
  {
    problem: 'AUTH_URL is https and TRUST_PROXY is false, so all clients seem to have the address of the proxy',
    action: 'set TRUST_PROXY to the number or the addresses of the proxies',
    isBroken: (config) => isHttps(config) && config.trustProxy === false,
  },
  {
    problem: 'SMTP_URL is not set, so emails are stored instead of sent',
    action: 'set SMTP_URL and MAIL_FROM',
    isBroken: (config) => isProduction(config) && config.smtpUrl === undefined,
  },
  {
    problem: 'MAIL_FROM is an address at localhost, which mail servers reject',
    action: 'set MAIL_FROM to an address of your domain',
    isBroken: ({ smtpUrl, mailFrom }) => smtpUrl !== undefined && /@localhost>?$/.test(mailFrom),
  },
  {
    problem: 'SECRET_KEY_PREVIOUS is the same as SECRET_KEY',
    action: 'remove SECRET_KEY_PREVIOUS, or follow docs/operations/rotate-keys.md#secret_key',
    isBroken: ({ secretKey, secretKeyPrevious }) => secretKeyPrevious !== undefined && secretKeyPrevious === secretKey,
  },
]

export const settingsCheck: Check = {
  name: 'settings',
  description: 'settings are valid and consistent',
  run: async ({ config }) => [
    ...rules.filter(({ isBroken }) => isBroken(config)).map(({ problem, action }) => ({ problem, action })),
    ...misspelledSettings(currentTerminal().settings).map((problem) => ({ problem, action: 'correct its name, or remove it' })),
  ],
}
