import type { DeveloperAppPartsFragment } from '../generated/operations.ts'
import { hasUsers } from './app-kinds.ts'

type Stated = Pick<DeveloperAppPartsFragment, 'state' | 'disabledAt' | 'grantTypes' | 'proposedChanges'>

const badges: Record<DeveloperAppPartsFragment['state'], { label: string; kind?: 'good' | 'caution' | 'alert' }> = {
  DRAFT: { label: 'Draft' },
  SUBMITTED: { label: 'Waits for review', kind: 'caution' },
  LISTED: { label: 'Published', kind: 'good' },
  REJECTED: { label: 'Rejected', kind: 'alert' },
}

/** How far the registration of an app has got. One without users needs no review. */
export const StateBadge = ({ state, disabledAt, grantTypes }: Omit<Stated, 'proposedChanges'>) => {
  if (disabledAt !== null) return <span class="badge alert">Disabled</span>
  if (!hasUsers({ grantTypes })) return <span class="badge">For this team</span>
  const { label, kind } = badges[state]
  return <span class={kind === undefined ? 'badge' : `badge ${kind}`}>{label}</span>
}

/** Whether changes of a published app wait for a review. */
export const ChangesBadge = ({ proposedChanges }: Pick<Stated, 'proposedChanges'>) =>
  proposedChanges.length > 0 && <span class="badge caution">Changes wait for review</span>

/** What the state means for the people who connect the app. */
export const stateMeanings: Record<DeveloperAppPartsFragment['state'], string> = {
  DRAFT: 'Only members of this team can connect the app. Try it, then submit it for review, so that everyone can.',
  SUBMITTED: 'An operator of this service reviews the app. Until then only members of this team can connect it.',
  LISTED: 'Everyone can connect the app.',
  REJECTED: 'Only members of this team can connect the app. Correct what the reason says, and submit it again.',
}
