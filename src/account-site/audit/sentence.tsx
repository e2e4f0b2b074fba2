import type { TimeSettings } from '../../../schema/core/principals.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { useTimes } from '../../web/components/time.tsx'
import type { EntryPartsFragment } from '../generated/operations.ts'
import { actionRows, isTeamAction } from './actions.ts'
import { formatAuditValue, parseAuditValues, splitWords } from './changes.ts'
import type { Part } from './changes.ts'

type Entry = Pick<
  EntryPartsFragment,
  'action' | 'actionName' | 'actorKind' | 'actorName' | 'subject' | 'subjectName' | 'subjectUser' | 'before' | 'after'
>

const toName = (name: string): Part => ({ name })

/**
 * Builds a sentence about the action of an entry. An action without a sentence, such as one on an account, has the words of its name.
 * Targets have their names, never identifiers. Values that the entry does not contain are left out.
 */
export function buildSentence(entry: Entry, times: TimeSettings): Part[] {
  const { action, actionName, actorKind, actorName, subject, subjectName, subjectUser } = entry
  const target: Part = { name: subjectName ?? subject, isTarget: true }
  if (!isTeamAction(action)) return [`${splitWords(actionName)}: `, target]
  const [before, after] = [parseAuditValues(entry.before), parseAuditValues(entry.after)]
  const oldText = (property: string) => formatAuditValue(before, property, times)
  const newText = (property: string) => formatAuditValue(after, property, times)
  const isByTarget = actorKind === 'USER' && actorName === subjectName
  const { sentence } = actionRows[action]
  const parts = typeof sentence === 'string' ? sentence : sentence({ target, before, after, oldText, newText, isByTarget, times })
  if (typeof parts !== 'string') return parts
  const role = newText('role')
  const { name: oldName } = before
  const { provider } = after
  const placeholders: Readonly<Record<string, Part[]>> = {
    target: [target],
    // The owner of the token or app, if the entry contains one.
    owner: subjectUser ? [' of ', toName(subjectUser.name)] : [],
    role: role === null ? [] : [` as ${role}`],
    oldName: typeof oldName === 'string' ? [' ', toName(oldName)] : [],
    provider: [typeof provider === 'string' ? toName(provider) : 'an identity provider'],
  }
  return parts.split(/\{(\w+)\}/).flatMap((text, index) => (index % 2 === 0 ? [text] : (placeholders[text] ?? [`{${text}}`])))
}

/** Returns a sentence as plain text. */
export const joinSentence = (parts: readonly Part[]): string => parts.map((part) => (typeof part === 'string' ? part : part.name)).join('')

/** The action of an entry as a sentence without its subject, the actor. With an address, the target is a link to its page. */
export const Sentence = ({ entry, targetPage }: { entry: Entry; targetPage?: string | null }) => (
  <>
    {buildSentence(entry, useTimes()).map((part) => {
      if (typeof part === 'string') return part
      const name = <StrongAddress>{part.name}</StrongAddress>
      return part.isTarget && targetPage ? <a href={targetPage}>{name}</a> : name
    })}
  </>
)
