import { DOMParser } from '@xmldom/xmldom'

/** A document is not accepted. The message says why, to follow "The document". */
export class XmlError extends Error {}

/** Bytes of a document in UTF-8. The metadata of large providers has about 20 kB, and a response with 200 groups 40 kB. */
export const maxXmlBytes = 256 * 1024
/** Elements within each other. The signed attributes of a response have 8. */
const maxDepth = 30
/** Namespace declarations: the parser copies those of the ancestors with each. Some providers write two with each group. */
const maxDeclarations = 4000

export const namespaces = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const
type Namespace = keyof typeof namespaces

/**
 * Parses a document and returns its root element. A document type declaration, which can declare entities, is refused before anything is
 * parsed, and whatever the parser reports, warnings included, is an error. Throws an `XmlError`.
 */
export function parseXml(text: string): Element {
  if (Buffer.byteLength(text) > maxXmlBytes) throw new XmlError(`is larger than ${maxXmlBytes / 1024} kB`)
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw new XmlError('has a document type declaration, which is not accepted')
  if (depthOf(text) > maxDepth) throw new XmlError(`has more than ${maxDepth} elements within each other`)
  if (text.split('xmlns').length > maxDeclarations) throw new XmlError(`has more than ${maxDeclarations} namespace declarations`)
  if (hasForbiddenCharacter(text)) throw new XmlError('contains characters that are not allowed in XML')
  const refuse = () => {
    throw notWellFormed()
  }
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } })
  return rootOf(parser, text.replace(/^\uFEFF/, '')) ?? refuse()
}

function rootOf(parser: DOMParser, text: string): Element | null {
  try {
    // An empty document has no root, whatever the type says.
    const document: Document | undefined = parser.parseFromString(text, 'text/xml')
    return document?.documentElement ?? null
  } catch (error) {
    if (error instanceof XmlError) throw error
    throw notWellFormed(error)
  }
}

// A name ends where it has to: its shorter forms, tried for a tag without an end, would take time that grows with the square of its length.
const markup =
  /[^<]+|<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<(?<end>\/)?(?<name>[^\s"'<>/!?]+)(?=[\s/>])(?:[^<>"']|"[^<"]*"|'[^<']*')*>/gy

/**
 * How deep the elements are, in one pass before the document is parsed: the costs of what reads it grow with the square of the depth. Throws
 * an `XmlError` for tags that do not match, which the parser accepts.
 */
function depthOf(text: string): number {
  const open: string[] = []
  let [deepest, length] = [0, 0]
  for (const { 0: token, groups } of text.matchAll(markup)) {
    length += token.length
    const { name, end } = groups ?? {}
    if (name === undefined) continue
    if (end && open.pop() !== name) throw notWellFormed()
    if (!end && !token.endsWith('/>')) deepest = Math.max(deepest, open.push(name))
  }
  if (length !== text.length || open.length > 0) throw notWellFormed()
  return deepest
}

/** Control characters and those that XML does not have, also not by reference (XML 1.0 §2.2). The parser accepts them, and PostgreSQL refuses the first. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff\p{Cs}]/u

function hasForbiddenCharacter(text: string): boolean {
  const references = Array.from(text.matchAll(/&#(?:x([\da-f]+)|(\d+));/gi), ([, hex, decimal]) => Number(hex ? `0x${hex}` : decimal))
  return forbidden.test(text) || references.some((code) => code > 0x10ffff || forbidden.test(String.fromCodePoint(code)))
}

const notWellFormed = (cause?: unknown) => new XmlError('is not well-formed XML', { cause })

const isElement = (node: Node): node is Element => node.nodeType === 1

/** The child elements of an element. */
export const elementsOf = (parent: Element): Element[] => Array.from(parent.childNodes).filter(isElement)

/** The child elements of an element with this name. */
export const childrenOf = (parent: Element, namespace: Namespace, name: string): Element[] =>
  elementsOf(parent).filter((child) => isNamed(child, namespace, name))

/** All elements with this name within an element. */
export const descendantsOf = (parent: Element, namespace: Namespace, name: string): Element[] =>
  Array.from(parent.getElementsByTagNameNS(namespaces[namespace], name))

export const isNamed = (element: Element, namespace: Namespace, name: string): boolean =>
  element.namespaceURI === namespaces[namespace] && element.localName === name

/** The text in an element, without surrounding white space. */
export const textOf = (element: Element): string => element.textContent?.trim() ?? ''

/** The value of an attribute; null if it is absent or empty. */
export const attributeOf = (element: Element, name: string): string | null => element.getAttribute(name) || null
