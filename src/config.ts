import { existsSync } from 'node:fs'
import * as value from './setting-values.ts'
import { SettingError } from './setting-values.ts'
import type { Parse } from './setting-values.ts'

interface Setting<T> {
  /** The environment variable. */
  name: string
  parse: Parse<T>
  /** The text that stands for an absent or empty variable; undefined when there is none. */
  fallback: string | undefined
  /** What the operator reads about it. */
  sentence: string
  /** Its value is not repeated in an error. */
  isSecret: boolean
}

const required = <T>(name: string, fallback: string, parse: Parse<T>, sentence: string): Setting<T> => {
  return { name, parse, fallback, sentence, isSecret: false }
}
const optional = <T>(name: string, parse: Parse<T>, sentence: string): Setting<T | undefined> => {
  return { name, parse, fallback: undefined, sentence, isSecret: false }
}
const secret = (name: string, parse: Parse<string>, sentence: string): Setting<string | undefined> => {
  return { name, parse, fallback: undefined, sentence, isSecret: true }
}

const guesses = (name: string, fallback: string, sentence: string) => required(name, fallback, value.integer(0, 1_000_000), sentence)

/** Every setting there is, in the order of the README's table, which is made from this one. */
export const settings = {
  port: required('PORT', '3000', value.integer(0, 65_535), 'Port to listen on; 0 takes any free one.'),
  host: required('HOST', '127.0.0.1', value.host, 'Address to listen on; 0.0.0.0 or :: for all.'),
  authUrl: optional(
    'AUTH_URL',
    value.origin,
    'Public origin, on which every address in answers and mails is built. Default http://localhost:PORT.',
  ),
  databaseUrl: secret('DATABASE_URL', value.postgresUrl, 'PostgreSQL 15 or newer to use. Default: an embedded one in the data folder.'),
  databasePool: required('DATABASE_POOL', '10', value.integer(2, 500), 'Connections to the database.'),
  dataDir: required('DATA_DIR', './data', value.folder, 'Data folder: embedded database, secret key, kept mails.'),
  secretKey: secret(
    'SECRET_KEY',
    value.secret(32),
    'Key under which secrets are derived and encrypted, at least 32 characters. Required in production; otherwise made once, in the data folder.',
  ),
  trustProxy: required(
    'TRUST_PROXY',
    'false',
    value.trustProxy,
    'Proxies whose X-Forwarded-* header fields are believed: true, false, how many, or their addresses and subnets.',
  ),
  logLevel: required(
    'LOG_LEVEL',
    'info',
    value.oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'Least level that is logged: trace, debug, info, warn, error, fatal or silent.',
  ),
  flowBaseUrl: optional(
    'FLOW_BASE_URL',
    value.baseUrl('/api/v1'),
    'Base of the flow API, ending in /api/v1. Default: on the public origin.',
  ),
  smtpUrl: secret(
    'SMTP_URL',
    value.smtpUrl,
    'Mail server. Default: mails are kept in the data folder and, outside production, shown at /dev/mail.',
  ),
  mailFrom: required('MAIL_FROM', 'no-reply@localhost', value.mailAddress, 'Sender of mails, an address alone or as Name <address>.'),
  nodeEnv: required(
    'NODE_ENV',
    'development',
    value.oneOf('development', 'test', 'production'),
    'production demands SECRET_KEY and shows nothing that helps development.',
  ),
  invitationDays: required('INVITATION_DAYS', '7', value.integer(1, 30), 'Days for which an invitation can be accepted.'),
  signUp: required(
    'SIGN_UP',
    'open',
    value.oneOf('open', 'invited'),
    'Who may make an account: open for anybody, invited for who holds an invitation to a team.',
  ),
  rateLimitApi: required('RATE_LIMIT_API', '1200', value.integer(0, 1_000_000), 'API requests per credential and minute; 0 for no limit.'),
  rateLimitSignInAccount: guesses(
    'RATE_LIMIT_SIGN_IN_ACCOUNT',
    '10',
    'Wrong passwords, and wrong second factors, per account in 15 minutes; 0 for no limit.',
  ),
  rateLimitSignInAddress: guesses(
    'RATE_LIMIT_SIGN_IN_ADDRESS',
    '100',
    'Wrong passwords and second factors per address in 15 minutes; 0 for no limit.',
  ),
  rateLimitSignUp: guesses('RATE_LIMIT_SIGN_UP', '50', 'Sign-ups and forgotten passwords per address in 15 minutes; 0 for no limit.'),
  rateLimitClientSecret: guesses(
    'RATE_LIMIT_CLIENT_SECRET',
    '20',
    'Wrong client secrets per client and address in a minute; 0 for no limit.',
  ),
  rateLimitUserCode: guesses('RATE_LIMIT_USER_CODE', '10', 'Wrong device codes per session and per address in 10 minutes; 0 for no limit.'),
  rateLimitLink: guesses('RATE_LIMIT_LINK', '20', 'Wrong links of mails per address in 10 minutes; 0 for no limit.'),
} satisfies Record<string, Setting<unknown>>

type Values = { [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> }

/** The settings in force. `authUrl` is always there; see `atPort` for a port that is only known after listening. */
export type Config = Omit<Values, 'authUrl'> & { authUrl: string }

/** Thrown for a wrong setting; the message is one line that names it. */
export class ConfigError extends Error {}

/** Reads and checks the environment, after adding what ./.env says; a wrong setting throws `ConfigError`. */
export function readConfig(env: NodeJS.ProcessEnv = environment()): Config {
  const entries = Object.entries<Setting<unknown>>(settings).map(([key, setting]) => [key, read(setting, env)])
  const values = Object.fromEntries(entries) as Values
  if (values.nodeEnv === 'production' && values.secretKey === undefined) {
    throw new ConfigError('SECRET_KEY is required when NODE_ENV is production')
  }
  return { ...values, authUrl: values.authUrl ?? localOrigin(values.port) }
}

/** The settings once the real port is known (PORT=0): an AUTH_URL that was not given follows it. */
export function atPort<T extends Pick<Config, 'port' | 'authUrl'>>(config: T, port: number): T {
  const isGiven = config.authUrl !== localOrigin(config.port)
  return { ...config, port, authUrl: isGiven ? config.authUrl : localOrigin(port) }
}

function read({ name, parse, fallback, isSecret }: Setting<unknown>, env: NodeJS.ProcessEnv): unknown {
  // A variable that is there and empty is how compose files and CI say "not set".
  const text = env[name]?.trim() || fallback
  if (text === undefined) return undefined
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    throw new ConfigError(`${name} ${error.message}${isSecret ? '' : `; it is ${JSON.stringify(text)}`}`, {
      cause: error,
    })
  }
}

function environment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

const localOrigin = (port: number) => `http://localhost:${port}`
