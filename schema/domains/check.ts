import type { TeamDomain } from '../../prisma/generated/client/client.ts'
import type { Ports } from '../core/ports.ts'
import { OutgoingError } from '../core/outgoing/outgoing.ts'
import { buildRecordName } from './rules.ts'

/** The result of a look-up of the TXT record of a domain. `problem` describes the wrong record in words for users. */
export type DomainCheck = { state: 'found' } | { state: 'missing' | 'unknown'; problem: string }

type Claim = Pick<TeamDomain, 'domain' | 'value'>

/** Looks up the TXT record of a domain. Returns `unknown` if its name servers do not reply. */
export async function checkRecord({ outgoing }: Pick<Ports, 'outgoing'>, { domain, value }: Claim): Promise<DomainCheck> {
  const name = buildRecordName(domain)
  try {
    const values = await outgoing.txtRecords(name)
    if (values.includes(value)) return { state: 'found' }
    return { state: 'missing', problem: values.length > 0 ? otherValues(name, values) : `There is no TXT record ${name}.` }
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
    return { state: 'unknown', problem: `The TXT record ${name} could not be looked up: ${error.message}` }
  }
}

/**
 * Returns the problem with a record, and the name at which it exists, if that is a common mistake. The first label is missing, or the
 * domain is there twice, because the editor of the zone adds it to names without a final dot.
 */
export async function explainMissing({ outgoing }: Pick<Ports, 'outgoing'>, { domain, value }: Claim, problem: string): Promise<string> {
  const name = buildRecordName(domain)
  const otherNames = [domain, `${name}.${domain}`].filter((other) => other.length <= 253)
  const results = await Promise.allSettled(otherNames.map((other) => outgoing.txtRecords(other)))
  const index = results.findIndex((result) => result.status === 'fulfilled' && result.value.includes(value))
  return otherNames[index] === undefined ? problem : `The TXT record is at ${otherNames[index]}. Its name must be ${name}.`
}

/** The owners of the zone choose these values, so only a few of them are shown, and long ones are cut off. */
function otherValues(name: string, values: readonly string[]): string {
  const shown = values.slice(0, 3).map((value) => `\u201c${printable(value)}\u201d`)
  return `The TXT record ${name} has another value: ${shown.join(', ')}${values.length > 3 ? ', …' : ''}.`
}

const printable = (value: string) => {
  const line = value.replace(/[^\x20-\x7e]/g, '?')
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}
