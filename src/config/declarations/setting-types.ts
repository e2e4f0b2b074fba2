import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { isOneLine, isVisible } from '../../../schema/core/validation.ts'
import { isPng } from '../png.ts'

// Type of a setting, which reads the text of its environment variable. Its error message is the end of a sentence that begins `PORT must be
// …`.

export const integer = (minimum: number, maximum: number) =>
  z
    .string()
    .refine(
      (text) => /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
      `a whole number from ${minimum} to ${maximum}`,
    )
    .transform(Number)

export const enumeration = <const Value extends string>(...values: Value[]) => z.enum(values, `one of ${values.join(', ')}`)

export const absolutePath = z.string().transform((text) => path.resolve(text))

export const hostName = z.string().regex(/^[\w.:%-]+$/, 'an address or a host name, without port')

export const secretText = (minimum: number) => z.string().min(minimum, `at least ${minimum} characters long`)

/** A setting that is `true` by default, or `false`. */
export const booleanSetting = (variable: string, description: string) =>
  enumeration('true', 'false')
    .transform((text) => text === 'true')
    .prefault('true')
    .register(metadata, { variable, description })

/** A secret that is used for new data. One that repeats a single character is a placeholder. */
export const newSecretText = (minimum: number) =>
  secretText(minimum).refine((text) => new Set(text).size > 1, 'random, for example the output of openssl rand -base64 32')

/** Returns true for libpq's lists of hosts. The driver would ignore them, and connect to a server that is not the primary. */
const namesSeveralHosts = (text: string) =>
  /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(text)?.[1]?.includes(',') === true ||
  /[?&](?:target_session_attrs|load_balance_hosts)=|[?&]host=[^&]*(?:,|%2c)/i.test(text)

export const postgresUrl = z
  .string()
  .refine(
    (text) => !namesSeveralHosts(text),
    'an address of one host, without target_session_attrs: that of a proxy that follows the primary (deploy/postgresql/haproxy.cfg)',
  )
  .pipe(
    url(
      'an address such as postgresql://user:password@host:5432/database',
      ({ protocol }) => protocol === 'postgres:' || protocol === 'postgresql:',
    ),
  )

export const smtpUrl = url(
  'an address such as smtp://user:password@host:587 or smtps://host:465',
  ({ protocol, hostname }) => (protocol === 'smtp:' || protocol === 'smtps:') && hostname !== '',
)

/** An origin without a trailing slash. */
export const origin = url(
  'an http or https origin such as https://accounts.example.com, without path or query',
  (value) => isPlainHttp(value) && value.pathname === '/',
).transform((text) => new URL(text).origin)

/** A base URL that ends in this path, without a trailing slash. */
export const baseUrl = (suffix: string) =>
  url(
    `an http or https address that ends in ${suffix}`,
    (value) => isPlainHttp(value) && value.pathname.replace(/\/$/, '').endsWith(suffix),
  ).transform((text) => new URL(text).href.replace(/\/$/, ''))

/** `accounts@example.com` or `Accounts <accounts@example.com>`. */
export const mailAddress = z.string().refine((text) => {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text
  return /^[^\s@<>,]+@[^\s@<>,]+$/.test(address)
}, 'an email address, alone or as Name <address>')

/** Lines of text, separated by semicolons. */
export const textLines = z.string().transform((text) => text.split(';').flatMap((line) => line.trim() || []))

export const singleLine = (maximum: number) =>
  z
    .string()
    .refine((text) => text.length <= maximum && isOneLine(text) && isVisible(text), `one visible line of at most ${maximum} characters`)

export const hexColor = z.string().regex(/^#[\da-f]{6}$/i, 'a colour such as #1d55c4')

export const webUrl = url('an http or https address', ({ protocol }) => protocol === 'http:' || protocol === 'https:')

const imageTypes: Record<string, string> = { '.svg': 'svg', '.png': 'png' }

/** An image, specified by the path of its file. */
export const imageFile = z.string().transform((file, context) => {
  const type = imageTypes[path.extname(file).toLowerCase()]
  const body = type === undefined ? null : readOrNull(file)
  if (type !== undefined && body && body.length <= 50_000 && (type === 'svg' || isPng(body))) return { type, body }
  context.addIssue('the path of an SVG or PNG file of at most 50 kB')
  return z.NEVER
})

function readOrNull(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

const proxies = 'true, false, a number of proxies, or a list of addresses, subnets, loopback, linklocal, uniquelocal'

/** A value of Express's `trust proxy`: all proxies, none, their number, or their addresses. */
export const trustProxy = z.string().transform((text, context): boolean | number | string => {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^\d{1,2}$/.test(text)) return Number(text)
  if (!text.split(',').every((item) => isAddressOrSubnet(item.trim()))) context.addIssue(proxies)
  return text
})

function url(message: string, isValid: (url: URL) => boolean) {
  return z.string().refine((text) => URL.canParse(text) && isValid(new URL(text)), message)
}

const isPlainHttp = ({ protocol, search, hash, username, password }: URL) =>
  (protocol === 'http:' || protocol === 'https:') && !search && !hash && !username && !password

function isAddressOrSubnet(item: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(item)) return true
  const [address = '', bits, ...rest] = item.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

interface Metadata {
  /** Name of the environment variable. */
  variable: string
  /** Description in docs/operations/settings.md. */
  description: string
  /** True for a secret. Error messages do not repeat its value, and it can be in a file, specified by a variable that ends in `_FILE`. */
  isSecret?: boolean
}

/** Data of each setting for docs/operations/settings.md and error messages. */
export const metadata = z.registry<Metadata>()

/** Returns a function that declares a setting whose value is a whole number in this range, with its default. */
export const wholeNumberSetting = (minimum: number, maximum: number) => (variable: string, value: number, description: string) =>
  integer(minimum, maximum).prefault(String(value)).register(metadata, { variable, description })
