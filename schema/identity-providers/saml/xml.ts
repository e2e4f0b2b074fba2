import { DOMParser } from '@xmldom/xmldom'
import { ProviderError } from '../protocol.ts'

/** A document that is not accepted. The message contains the reason, to follow "The document". */
export class XmlError extends Error {}

/** Maximum bytes of a document in UTF-8. The metadata of large providers has about 20 kB, and a response with 200 groups 40 kB. */
export const maxXmlBytes = 256 * 1024
/** Maximum of elements, attributes, comments and texts. A response with 200 groups has up to 1,500, and metadata of AD FS 2,000. */
const maxNodes = 5000
/** Maximum depth of elements. The signed attributes of a response have a depth of 8. */
const maxDepth = 30
/** Maximum number of names of elements: the parser searches the whole document for the end of each. Metadata of AD FS has 50. */
const maxNames = 100
/** Maximum of namespace declarations that an element has and inherits. Canonicalization searches all for each element and attribute. */
const maxDeclarations = 100
/** Maximum characters of a namespace declaration. Canonicalization repeats it in each element that uses it. */
const maxDeclarationLength = 300

export const namespaces = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const
export type Namespace = keyof typeof namespaces

/**
 * Parses a document and returns its root element. A document type declaration, which can declare entities, is refused before parsing.
 * Everything that the parser reports is an error, including warnings. Throws an `XmlError`.
 */
export function parseXml(text: string): Element {
  if (Buffer.byteLength(text) > maxXmlBytes) throw new XmlError(`is larger than ${maxXmlBytes / 1024} kB`)
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw new XmlError('has a document type declaration, which is not accepted')
  requireBounds(text)
  if (hasForbiddenCharacter(text)) throw new XmlError('contains characters that are not allowed in XML')
  const refuse = () => {
    throw notWellFormed()
  }
  const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } })
  return parseRoot(parser, text.replace(/^\uFEFF/, '')) ?? refuse()
}

/** Parses a document. Throws a `ProviderError` with the reason why it is not accepted, after `subject`. */
export function parseOrRefuse(xml: string, subject: string): Element {
  try {
    return parseXml(xml)
  } catch (error) {
    if (error instanceof XmlError) throw new ProviderError(`${subject} ${error.message}.`, { cause: error })
    throw error
  }
}

function parseRoot(parser: DOMParser, text: string): Element | null {
  try {
    // An empty document has no root, in spite of the type.
    const document: Document | undefined = parser.parseFromString(text, 'text/xml')
    return document?.documentElement ?? null
  } catch (error) {
    if (error instanceof XmlError) throw error
    throw notWellFormed(error)
  }
}

// A name must end at a delimiter: backtracking over shorter names of an unclosed tag would take time in the square of its length.
const markup = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<(\/?)([^\s"'<>/!?]+)(?=[\s/>])(?:[^<>"']|"[^<"]*"|'[^<']*')*>/y
/** An attribute in a tag, with the white space before it. */
const attribute = /\s[^\s=<>"']+\s*=\s*(?:"[^"]*"|'[^']*')/g

/**
 * Throws an `XmlError` for a document beyond a limit, in one pass before it is parsed: the costs of the parser and of canonicalization grow
 * with the squares of these numbers. Also throws for tags that do not match, which the parser accepts.
 */
function requireBounds(text: string): void {
  const open: { name: string; declarations: number }[] = []
  const names = new Set<string>()
  let nodes = 0
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', markup.lastIndex)) {
    markup.lastIndex = start
    const [token, end, name] = markup.exec(text) ?? []
    if (token === undefined || (end && open.pop()?.name !== name)) throw notWellFormed()
    if (end) continue
    const attributes = name !== undefined && token.includes('=') ? (token.match(attribute) ?? []) : []
    if ((nodes += 1 + attributes.length) > maxNodes) throw new XmlError(`has more than ${maxNodes} elements and attributes`)
    if (name === undefined) continue
    if (names.add(name).size > maxNames) throw new XmlError(`has more than ${maxNames} different names of elements`)
    const declared = attributes.filter((each) => each.startsWith('xmlns', 1))
    const declarations = (open.at(-1)?.declarations ?? 0) + declared.length
    if (declared.some((each) => each.length > maxDeclarationLength))
      throw new XmlError(`has a namespace declaration with more than ${maxDeclarationLength} characters`)
    if (declarations > maxDeclarations) throw new XmlError(`has more than ${maxDeclarations} namespace declarations for one element`)
    if (!token.endsWith('/>') && open.push({ name, declarations }) > maxDepth)
      throw new XmlError(`has more than ${maxDepth} elements within each other`)
  }
  if (open.length > 0) throw notWellFormed()
}

/** Control characters and those that XML excludes, even by reference (XML 1.0 §2.2). The parser accepts them; PostgreSQL refuses NUL. */
const forbidden = /[^\P{Cc}\t\n\r]|[\ufffe\uffff\p{Cs}]/u

function hasForbiddenCharacter(text: string): boolean {
  const references = Array.from(text.matchAll(/&#(?:x([\da-f]+)|(\d+));/gi), ([, hex, decimal]) => Number(hex ? `0x${hex}` : decimal))
  return forbidden.test(text) || references.some((code) => code > 0x10ffff || forbidden.test(String.fromCodePoint(code)))
}

const notWellFormed = (cause?: unknown) => new XmlError('is not well-formed XML', { cause })

export const isElement = (node: Node): node is Element => node.nodeType === 1

/** Returns the child elements of an element. */
export function listChildElements(parent: Element): Element[] {
  const elements: Element[] = []
  for (let child = parent.firstChild; child; child = child.nextSibling) if (isElement(child)) elements.push(child)
  return elements
}

/** Returns the child elements of an element with this name. */
export const listChildren = (parent: Element, namespace: Namespace, name: string): Element[] =>
  listChildElements(parent).filter((child) => isNamed(child, namespace, name))

/** Returns an element and all elements within it, level by level. */
export function listElements(root: Element): Element[] {
  const elements = [root]
  // The list grows while it is read.
  for (const element of elements) for (const child of listChildElements(element)) elements.push(child)
  return elements
}

export const isNamed = (element: Element, namespace: Namespace, name: string): boolean =>
  element.namespaceURI === namespaces[namespace] && element.localName === name

/** Returns the text in an element, without surrounding white space. */
export const readElementText = (element: Element): string => element.textContent?.trim() ?? ''

/** Returns the value of an attribute; null if it is absent or empty. */
export const readAttribute = (element: Element, name: string): string | null => element.getAttribute(name) || null

/** Reads a time, in milliseconds since 1970; null if the attribute is absent. Times of SAML are in UTC (SAML 2.0 Core §1.3.3). */
export function readTime(element: Element, name: string): number | null {
  const text = readAttribute(element, name)
  if (text === null) return null
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(time)) throw new ProviderError(`The attribute ${name} of the assertion is not a time.`)
  return time
}

/** Returns the only child with this name. Throws a `ProviderError` if there is none, or more than one. */
export function findOnlyChild(parent: Element, name: string): Element {
  const [child, ...others] = listChildren(parent, 'assertion', name)
  if (child && others.length === 0) return child
  throw new ProviderError(`The assertion must have one ${name} element in ${parent.localName}.`)
}
