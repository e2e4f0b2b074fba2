import { Name } from '../../../web/components/address.tsx'
import { ListCard } from '../../../web/components/lists/list-card.tsx'
import { RelativeTime } from '../../../web/components/time.tsx'
import { Act } from '../act.tsx'
import { isBelow, userActs } from './user-acts.tsx'
import { Rest } from './user-lists.tsx'
import type { UserPart } from './user-part.ts'

interface RevokeProps extends UserPart {
  form: 'revoke-token' | 'revoke-grant'
  id: string
  name: string
  children: string
}

/** The link by which staff revoke one token or the access of one app. */
const Revoke = ({ account, ctx, form, id, name, children }: RevokeProps) =>
  isBelow({ account, ctx }) && (
    <Act ctx={ctx} name={form} form={userActs[form]} hidden={{ id }} objectName={name} summary="Revoke…" button="Revoke">
      {children}
    </Act>
  )

/** The personal tokens of a user that work. */
export const UserTokensCard = ({ account, ctx }: UserPart) => (
  <ListCard
    id="tokens"
    total={account.personalTokenCount}
    noun={['personal token', 'personal tokens']}
    empty="The user has no personal token that works."
  >
    {account.personalTokens.map(({ tokenId, name, hint, lastUsedAt }) => (
      <li>
        <div>
          <Name>{name}</Name> <code>{hint}</code>
          <p class="hint">
            Last used <RelativeTime at={lastUsedAt} />
          </p>
        </div>
        <Revoke account={account} ctx={ctx} form="revoke-token" id={tokenId} name={name}>
          Everything that uses the token stops working immediately.
        </Revoke>
      </li>
    ))}
    <Rest count={account.personalTokenCount - account.personalTokens.length} />
  </ListCard>
)

/** The access of the apps that a user has connected. */
export const UserGrantsCard = ({ account, ctx }: UserPart) => (
  <ListCard
    id="grants"
    total={account.grants.length}
    noun={['access of an app', 'accesses of apps']}
    empty="The user has connected no app."
  >
    {account.grants.map(({ grantId, clientName, teamName, lastUsedAt }) => (
      <li>
        <div>
          <Name>{clientName}</Name>
          <p class="hint">
            {teamName === null ? 'All teams' : <bdi>{teamName}</bdi>}, last used <RelativeTime at={lastUsedAt} />
          </p>
        </div>
        <Revoke account={account} ctx={ctx} form="revoke-grant" id={grantId} name={clientName}>
          The app loses its access immediately. The user can connect it again.
        </Revoke>
      </li>
    ))}
  </ListCard>
)
