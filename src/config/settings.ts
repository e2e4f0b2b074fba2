import { existsSync } from 'node:fs'
import { z } from 'zod'
import type { SocialClients } from '../../schema/core/social-clients.ts'
import { brandSettings } from './declarations/brand-settings.ts'
import { databaseSettings } from './declarations/database-settings.ts'
import { outgoingSettings } from './declarations/outgoing-settings.ts'
import { retentionSettings } from './declarations/retention-settings.ts'
import { readSocialProviders, socialSettings } from './declarations/social-settings.ts'
import { limitSettings } from './declarations/limit-settings.ts'
import {
  metadata,
  baseUrl,
  absolutePath,
  hostName,
  integer,
  mailAddress,
  newSecretText,
  enumeration,
  origin,
  secretText,
  smtpUrl,
  trustProxy,
  booleanSetting,
  wholeNumberSetting,
} from './declarations/setting-types.ts'
import { ConfigError, readSettingText, readVariable } from './setting-text.ts'

/** All settings, in the order of docs/operations/settings.md. A default has the form of the environment variable. */
const schema = z.object({
  port: integer(0, 65_535)
    .prefault('3000')
    .register(metadata, { variable: 'PORT', description: 'Port to listen on; 0 selects a free port.' }),
  host: hostName.prefault('127.0.0.1').register(metadata, {
    variable: 'HOST',
    description: 'Address to listen on. 0.0.0.0 or :: listens on all addresses and requires NODE_ENV=production.',
  }),
  webConcurrency: integer(1, 256).optional().register(metadata, {
    variable: 'WEB_CONCURRENCY',
    description: 'Number of worker processes. Default: 1 with the embedded PostgreSQL, the number of processor cores with DATABASE_URL.',
  }),
  runJobs: booleanSetting(
    'RUN_JOBS',
    'Whether this host sends emails, delivers webhooks and does the periodic work. At least one host must.',
  ),
  metricsPort: integer(1, 65_535)
    .optional()
    .register(metadata, { variable: 'METRICS_PORT', description: 'Port of /metrics, for Prometheus. Default: no metrics.' }),
  metricsHost: hostName
    .prefault('127.0.0.1')
    .register(metadata, { variable: 'METRICS_HOST', description: 'Address on which METRICS_PORT listens.' }),
  authUrl: origin.optional().register(metadata, {
    variable: 'AUTH_URL',
    description: 'Public origin, used in all URLs in responses and emails. Default: http://localhost:PORT.',
  }),
  ...databaseSettings,
  dataDir: absolutePath
    .prefault('./data')
    .register(metadata, { variable: 'DATA_DIR', description: 'Data folder: embedded database, secret key, stored emails.' }),
  secretKey: newSecretText(32).optional().register(metadata, {
    variable: 'SECRET_KEY',
    description:
      'Key that encrypts secrets and derives other keys, at least 32 characters. Required in production; otherwise created in the data folder.',
    isSecret: true,
  }),
  secretKeyPrevious: secretText(32).optional().register(metadata, {
    variable: 'SECRET_KEY_PREVIOUS',
    description: 'SECRET_KEY before a rotation. Data that it encrypted or signed stays valid until you remove this setting.',
    isSecret: true,
  }),
  trustProxy: trustProxy.prefault('false').register(metadata, {
    variable: 'TRUST_PROXY',
    description:
      'Proxies whose X-Forwarded-* header fields are trusted: true, false, the number of proxies, or their addresses and subnets.',
  }),
  logLevel: enumeration('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').prefault('info').register(metadata, {
    variable: 'LOG_LEVEL',
    description: 'Lowest level to log: trace, debug, info, warn, error, fatal or silent.',
  }),
  logFormat: enumeration('pretty', 'json').optional().register(metadata, {
    variable: 'LOG_FORMAT',
    description: 'Format of the log: json, or pretty for people. Default: pretty on a terminal, otherwise json.',
  }),
  shutdownDelay: integer(0, 300).prefault('0').register(metadata, {
    variable: 'SHUTDOWN_DELAY',
    description:
      'Seconds to keep accepting requests after a stop signal while /readyz fails, so that load balancers stop sending requests.',
  }),
  flowBaseUrl: baseUrl('/api/v1').optional().register(metadata, {
    variable: 'FLOW_BASE_URL',
    description: 'Base URL of the flow API, ending in /api/v1. Default: on the public origin.',
  }),
  smtpUrl: smtpUrl.optional().register(metadata, {
    variable: 'SMTP_URL',
    description: 'URL of the mail server. Default: emails are stored in the data folder and, in development, shown at /dev/mail.',
    isSecret: true,
  }),
  mailFrom: mailAddress.prefault('no-reply@localhost').register(metadata, {
    variable: 'MAIL_FROM',
    description: 'Sender of emails: an address, or Name <address>.',
  }),
  nodeEnv: enumeration('development', 'test', 'production').prefault('development').register(metadata, {
    variable: 'NODE_ENV',
    description:
      'production requires SECRET_KEY and turns off the demo data and /dev/mail. Required if other machines can reach the service.',
  }),
  sessionDaysMax: wholeNumberSetting(1, 3650)(
    'SESSION_DAYS_MAX',
    90,
    'Days from the sign-in after which a session ends, however often it is used.',
  ),
  providerSignInDays: wholeNumberSetting(1, 365)(
    'PROVIDER_SIGN_IN_DAYS',
    30,
    'Days for which a sign-in through an identity provider counts where a team requires it.',
  ),
  invitationDays: wholeNumberSetting(1, 30)('INVITATION_DAYS', 7, 'Days for which an invitation can be accepted.'),
  signUp: enumeration('open', 'invited').prefault('open').register(metadata, {
    variable: 'SIGN_UP',
    description: 'Who can create an account: open (everyone) or invited (people with an invitation to a team).',
  }),
  emailSignIn: booleanSetting('EMAIL_SIGN_IN', 'Whether users can sign in with a code that is emailed to them.'),
  clientRegistration: enumeration('closed', 'reviewed', 'open').prefault('reviewed').register(metadata, {
    variable: 'CLIENT_REGISTRATION',
    description:
      'Whether teams can register OAuth clients: reviewed (until an operator approves a client, only members of its team can connect it), open (without a review) or closed.',
  }),
  clientMetadataDocuments: enumeration('off', 'reviewed', 'any').prefault('reviewed').register(metadata, {
    variable: 'CLIENT_METADATA_DOCUMENTS',
    description:
      'Who can connect OAuth clients by URL, which a document at this URL describes: reviewed (members of teams whose owners allowed the host), any (everyone) or off (no one).',
  }),
  trustedDocuments: absolutePath.optional().register(metadata, {
    variable: 'TRUSTED_DOCUMENTS',
    description: 'Manifest of the documents that /graphql executes, created by npm run trusted-documents. Default: any document.',
  }),
  ...outgoingSettings,
  ...limitSettings,
  ...retentionSettings,
  ...brandSettings,
  ...socialSettings,
})

type Shape = typeof schema.shape
type Values = { [Key in keyof Shape]: z.output<Shape[Key]> }

/** The current settings. `authUrl` always has a value; see `atPort` for a port that is known only after listening. */
export type Config = Values & { authUrl: string; socialProviders: SocialClients }

/** Content of docs/operations/settings.md about each setting. */
export const settings = Object.entries(schema.shape).map(([key, type]) => {
  const { variable, description, isSecret = false } = metadata.get(type) ?? { variable: key, description: '' }
  const fileVariable = isSecret ? `${variable}_FILE` : undefined
  return {
    key,
    variable,
    fileVariable,
    description,
    isSecret,
    defaultText: type instanceof z.ZodPrefault ? type.def.defaultValue : undefined,
  }
})

/** Reads and checks the environment together with the file .env. Throws `ConfigError` for an invalid setting. */
export function readConfig(env: NodeJS.ProcessEnv = environment()): Config {
  const texts = Object.fromEntries(settings.map((setting) => [setting.key, readSettingText(env, setting)]))
  const result = schema.safeParse(texts)
  if (!result.success) throw configError(result.error, texts, env)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod types absent keys as optional, but `texts` has every key
  const values = result.data as Values
  if (values.nodeEnv === 'production' && values.secretKey === undefined) {
    throw new ConfigError('SECRET_KEY is required when NODE_ENV is production')
  }
  const { socialProviders, missing } = readSocialProviders(values)
  if (missing !== null) throw new ConfigError(missing)
  return { ...values, socialProviders, authUrl: values.authUrl ?? localOrigin(values.port) }
}

/** Returns an error with the name of the first invalid setting. */
function configError(cause: z.ZodError, texts: Record<string, string | undefined>, env: NodeJS.ProcessEnv): ConfigError {
  const [issue] = cause.issues
  const setting = settings.find(({ key }) => key === issue?.path[0])
  const file = setting?.fileVariable === undefined ? undefined : readVariable(env, setting.fileVariable)
  if (file !== undefined) return new ConfigError(`the content of ${setting?.fileVariable} ${file} must be ${issue?.message}`, { cause })
  const value = setting && !setting.isSecret ? `; it is ${JSON.stringify(texts[setting.key])}` : ''
  return new ConfigError(`${setting?.variable} must be ${issue?.message}${value}`, { cause })
}

/** Returns the settings with the real port (PORT=0). A default `authUrl` contains it. */
export function atPort<T extends Pick<Config, 'port' | 'authUrl'>>(config: T, port: number): T {
  const isDefault = config.authUrl === localOrigin(config.port)
  return { ...config, port, authUrl: isDefault ? localOrigin(port) : config.authUrl }
}

/** Returns the environment together with the file .env. `readConfig` reads settings; tracing has standard variables. */
export function environment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

const localOrigin = (port: number) => `http://localhost:${port}`
