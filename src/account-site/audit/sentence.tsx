import type { TimeSettings } from '../../../schema/core/principals.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { useTimes } from '../../web/components/time.tsx'
import type { EntryPartsFragment } from '../generated/operations.ts'
import { actionRows, isTeamAction } from './actions.ts'
import { formatAuditValue, parseAuditValues } from './changes.ts'
import type { Part } from './changes.ts'

type Entry = Pick<EntryPartsFragment, 'action' | 'actionName' | 'subject' | 'subjectName' | 'subjectUser' | 'before' | 'after'>

const toName = (name: unknown): Part => ({ name: String(name) })

/** Builds a sentence about the action of an entry. A removed action has its name. Targets have their names, never identifiers. */
export function buildSentence({ action, actionName, subject, subjectName, subjectUser, ...json }: Entry, times: TimeSettings): Part[] {
  const target = toName(subjectName ?? subject)
  if (!isTeamAction(action)) return [`${actionName}: `, target]
  const [before, after] = [parseAuditValues(json.before), parseAuditValues(json.after)]
  const oldText = (property: string) => formatAuditValue(before, property, times) ?? 'none'
  const newText = (property: string) => formatAuditValue(after, property, times) ?? 'none'
  const { sentence } = actionRows[action]
  const parts = typeof sentence === 'string' ? sentence : sentence({ target, before, after, oldText, newText, times })
  if (typeof parts !== 'string') return parts
  const placeholders: Readonly<Record<string, Part[]>> = {
    target: [target],
    // The owner of the token or app, if the entry contains one.
    owner: subjectUser ? [' of ', toName(subjectUser.name)] : [],
    role: [newText('role')],
    oldName: [toName(before['name'])],
  }
  return parts.split(/\{(\w+)\}/).flatMap((text, index) => (index % 2 === 0 ? [text] : (placeholders[text] ?? [`{${text}}`])))
}

/** Returns a sentence as plain text. */
export const joinSentence = (parts: readonly Part[]): string => parts.map((part) => (typeof part === 'string' ? part : part.name)).join('')

/** The action of an entry as a sentence without its subject, the actor. */
export const Sentence = ({ entry }: { entry: Entry }) => (
  <>{buildSentence(entry, useTimes()).map((part) => (typeof part === 'string' ? part : <StrongAddress>{part.name}</StrongAddress>))}</>
)
