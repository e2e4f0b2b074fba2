import type { DeveloperAppPartsFragment } from '../generated/operations.ts'
import { hasUsers } from './form/app-kinds.ts'

type AppStateFields = Pick<DeveloperAppPartsFragment, 'state' | 'disabledAt' | 'grantTypes' | 'proposedChanges'>

const badges: Record<DeveloperAppPartsFragment['state'], { label: string; kind?: 'good' | 'caution' | 'alert' }> = {
  DRAFT: { label: 'Draft' },
  SUBMITTED: { label: 'In review', kind: 'caution' },
  LISTED: { label: 'Published', kind: 'good' },
  REJECTED: { label: 'Rejected', kind: 'alert' },
}

/** The state of an app. An app without users needs no review. */
export const AppStateBadge = ({ state, disabledAt, grantTypes }: Omit<AppStateFields, 'proposedChanges'>) => {
  if (disabledAt !== null) return <span class="badge alert">Disabled</span>
  if (!hasUsers({ grantTypes })) return <span class="badge">For this team</span>
  const { label, kind } = badges[state]
  return <span class={kind === undefined ? 'badge' : `badge ${kind}`}>{label}</span>
}

/** Marks a published app with changes that are not approved yet. */
export const ChangesBadge = ({ proposedChanges }: Pick<AppStateFields, 'proposedChanges'>) =>
  proposedChanges.length > 0 && <span class="badge caution">Changes in review</span>

/** Descriptions of who can connect an app in each state. */
export const stateMeanings: Record<DeveloperAppPartsFragment['state'], string> = {
  DRAFT: 'Only members of this team can connect the app. Try it, then submit it for review to let everyone connect it.',
  SUBMITTED: 'An operator of this service is reviewing the app. Until it is approved, only members of this team can connect it.',
  LISTED: 'Everyone can connect the app.',
  REJECTED: 'Only members of this team can connect the app. Fix the problem described below, then submit the app again.',
}
