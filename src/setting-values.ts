import { isIP } from 'node:net'
import path from 'node:path'

/** Reads one setting's text; throws `SettingError` saying what the value has to be. */
export type Parse<T> = (text: string) => T

/** What a value must be, as the end of a sentence that begins with the setting's name. */
export class SettingError extends Error {}

function must(holds: boolean, be: string): asserts holds {
  if (!holds) throw new SettingError(`must be ${be}`)
}

export const integer =
  (least: number, most: number): Parse<number> =>
  (text) => {
    const value = Number(text)
    must(/^\d+$/.test(text) && value >= least && value <= most, `a whole number from ${least} to ${most}`)
    return value
  }

export const oneOf =
  <const Word extends string>(...words: Word[]): Parse<Word> =>
  (text) => {
    const word = words.find((each) => each === text)
    must(word !== undefined, `one of ${words.join(', ')}`)
    return word
  }

export const host: Parse<string> = (text) => {
  must(/^[\w.:%-]+$/.test(text), 'an address or a host name, without port')
  return text
}

export const folder: Parse<string> = (text) => path.resolve(text)

/** An origin, without a slash at its end. */
export const origin: Parse<string> = (text) => {
  const url = urlOf(text, 'http:', 'https:')
  const isBare = url && url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  must(!!isBare, 'an http or https origin such as https://accounts.example.com, without path or query')
  return url.origin
}

/** A base URL that ends in `suffix`, without a slash at its end. */
export const baseUrl =
  (suffix: string): Parse<string> =>
  (text) => {
    const url = urlOf(text, 'http:', 'https:')
    const base = url && !url.search && !url.hash && !url.username && url.pathname.replace(/\/$/, '').endsWith(suffix)
    must(!!base, `an http or https address that ends in ${suffix}`)
    return url.href.replace(/\/$/, '')
  }

export const postgresUrl: Parse<string> = (text) => {
  must(!!urlOf(text, 'postgres:', 'postgresql:'), 'an address such as postgresql://user:password@host:5432/database')
  return text
}

export const smtpUrl: Parse<string> = (text) => {
  must(!!urlOf(text, 'smtp:', 'smtps:')?.hostname, 'an address such as smtp://user:password@host:587 or smtps://host:465')
  return text
}

/** `accounts@example.com` or `Accounts <accounts@example.com>`. */
export const mailAddress: Parse<string> = (text) => {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text
  must(/^[^\s@<>,]+@[^\s@<>,]+$/.test(address), 'an e-mail address, alone or as Name <address>')
  return text
}

export const secret =
  (leastCharacters: number): Parse<string> =>
  (text) => {
    must(text.length >= leastCharacters, `at least ${leastCharacters} characters long`)
    return text
  }

/** What Express takes as `trust proxy`: all, none, the number of proxies, or their addresses. */
export const trustProxy: Parse<boolean | number | string> = (text) => {
  if (text === 'true' || text === 'false') return text === 'true'
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const isProxy = text.split(',').every((item) => isAddressOrSubnet(item.trim()))
  must(isProxy, 'true, false, a number of proxies, or a list of addresses, subnets, loopback, linklocal, uniquelocal')
  return text
}

function isAddressOrSubnet(item: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(item)) return true
  const [address = '', bits, more] = item.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function urlOf(text: string, ...protocols: string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && protocols.includes(url.protocol) ? url : undefined
}
