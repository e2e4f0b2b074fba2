import type { MailState } from '../../generated/operations.ts'

export const mailStateLabels: Record<MailState, string> = { PENDING: 'Waiting', SENT: 'Sent', DROPPED: 'Not needed', FAILED: 'Failed' }

const classes: Record<MailState, string> = { PENDING: 'badge info', SENT: 'badge good', DROPPED: 'badge', FAILED: 'badge alert' }

export const MailStateBadge = ({ state }: { state: MailState }) => <span class={classes[state]}>{mailStateLabels[state]}</span>

/** Returns the kind of an email in words: `verify-email` is `Verify email`. */
export function formatMailKind(kind: string): string {
  const words = kind.replace('second-factor', 'two-factor authentication').replaceAll(/(?<!two)-/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
