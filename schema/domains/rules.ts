import { canReceiveMail } from '../core/mails/placeholder-address.ts'
import { recentOwner } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { normalizeEmail, refused, text } from '../core/validation.ts'

/**
 * Domains in which anyone can get an email address. A team cannot verify one, although only its provider could publish the record: a team
 * must not decide about addresses of other people. The list has the large providers; lists in packages also contain companies and
 * universities, which must be able to verify their domains.
 */
const publicMailDomains: ReadonlySet<string> = new Set(
  `126.com 139.com 163.com abv.bg aim.com aliyun.com aol.com att.net bigpond.com bluewin.ch bol.com.br bt.com btinternet.com centrum.cz
   comcast.net cox.net daum.net duck.com email.cz email.it fastmail.com fastmail.fm foxmail.com free.fr freemail.hu freenet.de gmail.com
   gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr
   hotmail.it hushmail.com icloud.com inbox.lv inbox.ru interia.pl laposte.net libero.it list.ru live.co.uk live.com live.fr live.nl
   mac.com mail.com mail.de mail.ru mailbox.org mailinator.com me.com msn.com naver.com o2.pl onet.pl online.de op.pl optonline.net
   optusnet.com.au orange.fr outlook.com outlook.de outlook.es outlook.fr pm.me posteo.de posteo.net proton.me protonmail.ch
   protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sina.com sky.com
   t-online.de telenet.be terra.com.br tuta.com tuta.io tutamail.com tutanota.com tutanota.de ukr.net uol.com.br verizon.net virgilio.it
   wanadoo.fr web.de wp.pl ya.ru yahoo.ca yahoo.co.id yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.au yahoo.com.br yahoo.de
   yahoo.es yahoo.fr yahoo.it yandex.com yandex.ru yeah.net yopmail.com ymail.com zoho.com`.split(/\s+/),
)

/** Maximum number of domains of a team. */
export const maxDomains = 10

/** The requirement to see the domains of a team and the other settings of how its members sign in. */
export const seeDomains: Requirement = { scopes: ['acct:team:read'], roles: ['owner'] }

/** The requirement to add, verify or remove a domain. */
export const changeDomains: Requirement = recentOwner

/** Returns the name of the TXT record that verifies a domain. */
export const buildRecordName = (domain: string) => `_team-account.${domain}`

const normalizeDomain = (value: string) => normalizeEmail(`@${value.trim().replace(/^@/, '').replace(/\.$/, '')}`).slice(1)
const label = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`
// The last label of a domain is never a number, so the pattern excludes IP addresses, too.
const domainPattern = new RegExp(String.raw`^(?:${label}\.)+(?!\d+$)${label}$`)

/** A domain in the form that it has in email addresses. With the name of its record, it has at most 253 characters. */
export const domainName = text
  .overwrite(normalizeDomain)
  .min(1, { abort: true })
  .max(239)
  .regex(domainPattern, 'The :attribute field must be a domain such as example.com.')

/** Throws for a domain that cannot belong to one team. */
export async function requireOwnDomain(domain: string): Promise<void> {
  if (!canReceiveMail(domain))
    throw refused({ domain: [`No email address at ${domain} can receive email, so no team can verify this domain.`] })
  if (publicMailDomains.has(domain))
    throw refused({ domain: [`Anyone can get an email address at ${domain}, so no team can verify this domain.`] })
  const { isPublicSuffix } = await import('./public-suffix.ts')
  if (isPublicSuffix(domain)) throw refused({ domain: [`Anyone can register a domain under ${domain}, so no team can verify it.`] })
}
