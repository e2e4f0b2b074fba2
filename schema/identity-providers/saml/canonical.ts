import { C14nCanonicalization, ExclusiveCanonicalization } from 'xml-crypto'
import type { NamespacePrefix } from 'xml-crypto'
import { ProviderError } from '../protocol.ts'
import type { Canonicalization } from './signatures.ts'

/**
 * Returns an element in canonical form, without comments (Canonical XML 1.0, Exclusive XML Canonicalization 1.0). Adds the namespace declarations
 * of its ancestors that `prefixes` names to the element.
 */
export function canonicalize(element: Element, { kind, prefixes }: Canonicalization): string {
  const ancestorNamespaces = findInheritedNamespaces(element)
  const options = { ancestorNamespaces, inclusiveNamespacesPrefixList: [...prefixes] }
  const algorithm = kind === 'exclusive' ? new ExclusiveCanonicalization() : new C14nCanonicalization()
  try {
    return algorithm.process(element, options)
  } catch (cause) {
    // An empty CDATA section, which it cannot process.
    throw new ProviderError('The response contains nodes that are not supported.', { cause })
  }
}

/** The namespace declarations of the ancestors of an element that it does not replace by its own. */
function findInheritedNamespaces(element: Element): NamespacePrefix[] {
  const declared = new Map<string, string>()
  for (let each: Node | null = element; each; each = each.parentNode) {
    if (!isElement(each)) break
    for (const { name, value } of Array.from(each.attributes)) {
      const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : null
      if (prefix !== null && !declared.has(prefix)) declared.set(prefix, each === element ? '' : value)
    }
  }
  return Array.from(declared, ([prefix, namespaceURI]) => ({ prefix, namespaceURI })).filter(
    ({ prefix, namespaceURI }) => namespaceURI !== '' && prefix !== (element.prefix ?? ''),
  )
}

const isElement = (node: Node): node is Element => node.nodeType === 1
