import { clockToleranceSeconds } from '../../oauth/issuers.ts'
import { buildAcsUrl, buildEntityId } from '../addresses.ts'
import { ProviderError } from '../protocol.ts'
import type { ProtocolRequest } from '../protocol.ts'
import { readAttribute, listChildren, listChildElements, findOnlyChild, isNamed, readTime, readElementText } from './xml.ts'

interface Expected {
  provider: { id: string; issuer: string }
  request: Pick<ProtocolRequest, 'id' | 'createdAt' | 'forceAuthentication'>
  authUrl: string
  now: Date
}

/** Throws a `ProviderError` unless the attributes of the response, which need not be signed, match the request. */
export function checkResponse(root: Element, { provider, request, authUrl }: Expected): void {
  const acsUrl = buildAcsUrl({ authUrl }, provider.id)
  const destination = readAttribute(root, 'Destination')
  if (destination !== null) requireEqual('The Destination of the response', destination, acsUrl)
  const [issuer] = listChildren(root, 'assertion', 'Issuer')
  if (issuer) requireEqual('The Issuer of the response', readElementText(issuer), provider.issuer)
  requireEqual('The InResponseTo of the response', readAttribute(root, 'InResponseTo'), request.id)
}

/**
 * Throws a `ProviderError` unless a verified assertion is for this service, valid now, and responds to the request (SAML 2.0 Profiles
 * §4.1.4.3). The message describes the mismatch.
 */
export function checkAssertion(assertion: Element, expected: Expected): void {
  const { provider, request, authUrl, now } = expected
  const [entityId, acsUrl] = [buildEntityId({ authUrl }, provider.id), buildAcsUrl({ authUrl }, provider.id)]
  requireEqual('The Version of the assertion', readAttribute(assertion, 'Version'), '2.0')
  requireEqual('The Issuer of the assertion', readElementText(findOnlyChild(assertion, 'Issuer')), provider.issuer)
  const conditions = findOnlyChild(assertion, 'Conditions')
  checkTimes('assertion', conditions, now)
  checkConditions(conditions, entityId)
  checkConfirmation(findOnlyChild(assertion, 'Subject'), { acsUrl, requestId: request.id, now })
  const [authentication] = listChildren(assertion, 'assertion', 'AuthnStatement')
  if (!authentication) throw new ProviderError('The assertion does not say when the user authenticated (AuthnStatement is missing).')
  if (request.forceAuthentication) checkAuthentication(authentication, request.createdAt)
}

function checkConditions(conditions: Element, entityId: string): void {
  const restrictions = listChildren(conditions, 'assertion', 'AudienceRestriction')
  if (restrictions.length === 0) throw new ProviderError('The assertion names no audience.')
  for (const restriction of restrictions) {
    const audiences = listChildren(restriction, 'assertion', 'Audience').map(readElementText)
    if (!audiences.includes(entityId)) requireEqual('The Audience of the assertion', audiences.join(', '), entityId)
  }
  // An unsupported condition makes an assertion invalid (SAML 2.0 Core §2.5.1.1).
  const supportedConditions = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']
  const unknown = listChildElements(conditions).find((child) => !supportedConditions.some((name) => isNamed(child, 'assertion', name)))
  if (unknown) throw new ProviderError(`The assertion has a condition that is not supported: ${unknown.localName.slice(0, 100)}.`)
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

function checkConfirmation(subject: Element, { acsUrl, requestId, now }: { acsUrl: string; requestId: string; now: Date }): void {
  const [confirmation, ...others] = listChildren(subject, 'assertion', 'SubjectConfirmation').filter(
    (each) => readAttribute(each, 'Method') === bearer,
  )
  if (!confirmation || others.length > 0) throw new ProviderError('The assertion must have one SubjectConfirmation with the method bearer.')
  const data = findOnlyChild(confirmation, 'SubjectConfirmationData')
  requireEqual('The Recipient of the assertion', readAttribute(data, 'Recipient'), acsUrl)
  requireEqual('The InResponseTo of the assertion', readAttribute(data, 'InResponseTo'), requestId)
  checkTimes('confirmation of the subject', data, now)
}

function checkAuthentication(statement: Element, since: Date): void {
  const at = readTime(statement, 'AuthnInstant')
  if (at === null || at < since.getTime() - clockToleranceSeconds * 1000)
    throw new ProviderError('The provider did not ask the user to authenticate again, which is required here (AuthnInstant is too old).')
}

/** Checks NotBefore, which may be absent, and NotOnOrAfter. */
function checkTimes(what: string, element: Element, now: Date): void {
  const [notBefore, notOnOrAfter] = [readTime(element, 'NotBefore'), readTime(element, 'NotOnOrAfter')]
  const clocks = `The clock here says ${now.toISOString().slice(0, 19)}Z.`
  if (notOnOrAfter === null) throw new ProviderError(`The ${what} does not say when it expires (NotOnOrAfter is missing).`)
  if (notOnOrAfter + clockToleranceSeconds * 1000 <= now.getTime())
    throw new ProviderError(`The ${what} has expired (NotOnOrAfter). ${clocks}`)
  if (notBefore !== null && notBefore - clockToleranceSeconds * 1000 > now.getTime())
    throw new ProviderError(`The ${what} is not yet valid (NotBefore). ${clocks}`)
}

function requireEqual(what: string, actual: string | null, expected: string): void {
  if (actual === expected) return
  throw new ProviderError(`${what} is ${actual ? `“${actual.slice(0, 200)}”` : 'missing'}; “${expected}” was expected.`)
}
