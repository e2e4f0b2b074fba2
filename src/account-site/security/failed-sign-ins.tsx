import { failedSignInDays, failedSignInReasons } from '../../../schema/core/attempts/failed-sign-in.ts'
import { ListCard } from '../../web/components/lists/list-card.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import type { FailedSignInPartsFragment } from '../generated/operations.ts'
import { counted } from '../labels.ts'

const reasonTexts = new Map(Object.entries(failedSignInReasons).map(([reason, text]) => [reason.toUpperCase(), text]))
const methodLabels: Record<FailedSignInPartsFragment['method'], string> = {
  PASSWORD: 'Password',
  EMAIL_CODE: 'Emailed code',
  SECOND_FACTOR: 'Second step',
  PASSKEY: 'Passkey',
  PROVIDER: 'Identity provider',
}

/** Why sign-ins to an account failed, for its user and for staff. */
export const FailedSignInsCard = ({ failedSignIns }: { failedSignIns: readonly FailedSignInPartsFragment[] }) => (
  <ListCard
    id="failed-sign-ins"
    total={failedSignIns.reduce((total, { count }) => total + count, 0)}
    noun={['failed sign-in', 'failed sign-ins']}
    empty={`No sign-in to the account failed in the last ${failedSignInDays} days.`}
  >
    {failedSignIns.map(({ method, reason, count, lastAt }) => (
      <li>
        <div>
          <strong>{reasonTexts.get(reason)}</strong>
          <p class="hint">
            {methodLabels[method]}, {counted(count, 'time', 'times')}, last <RelativeTime at={lastAt} />
          </p>
        </div>
      </li>
    ))}
  </ListCard>
)
