import type { ComponentChildren } from 'preact'
import { Fact, Facts } from '../../../web/components/facts.tsx'
import { Button, Buttons } from '../../../web/components/forms/button.tsx'
import { FoldedSection } from '../../../web/components/forms/folded-section.tsx'
import { Form } from '../../../web/components/forms/form.tsx'
import { DateTime, RelativeTime } from '../../../web/components/time.tsx'
import type { PageContext } from '../../framework/page-context.ts'
import type { DirectoryQuery } from '../../generated/operations.ts'
import { idempotencyKeyField } from '../../tokens/idempotency-key.ts'
import type { ListedToken } from '../../tokens/listed-token.ts'
import { aboutRotation, RotateToken } from '../../tokens/token.tsx'
import { TokenEnd } from '../../tokens/token-status.tsx'
import { CopiedValues } from '../copied-value.tsx'

interface ConnectionProps {
  team: Pick<DirectoryQuery['team'], 'directoryUrl' | 'tokens' | 'endedTokens'>
  ctx: PageContext
  /** What follows the values: guides that use them. */
  children: ComponentChildren
}

/** Values that the administrator enters at the directory: the URL and the token. */
export const ConnectionSection = ({ team: { directoryUrl, tokens, endedTokens }, ctx, children }: ConnectionProps) => {
  const [only, ...others] = tokens.nodes
  return (
    <section aria-labelledby="connection">
      <h2 id="connection">Connection</h2>
      <CopiedValues
        values={[{ id: 'directory-url', label: 'URL (tenant URL, SCIM connector base URL)', copied: 'URL', value: directoryUrl }]}
      />
      {tokens.nodes.map((token) => (
        <TokenSummary token={token} ctx={ctx} />
      ))}
      {!only && <NewToken ended={endedTokens.nodes[0]} ctx={ctx} />}
      {others.length > 0 && <p class="hint">Open a token to rotate or revoke it. Each of them can add and remove members.</p>}
      {only && others.length === 0 && (
        <FoldedSection id="rotate" title="Rotate token" about={aboutRotation}>
          <RotateToken token={only} hidden={{ id: only.id }} ctx={ctx} />
        </FoldedSection>
      )}
      {children}
    </section>
  )
}

const TokenSummary = ({ token, ctx }: { token: ListedToken; ctx: PageContext }) => (
  <Facts>
    <Fact name="Token">
      <a href={`/teams/${ctx.param('team')}/tokens/${token.id}`}>
        <bdi>{token.name}</bdi>
      </a>
    </Fact>
    <Fact name="Value">
      <code>{token.hint}</code>
    </Fact>
    <Fact name="Last request">{token.lastUsedAt === null ? 'None yet' : <RelativeTime at={token.lastUsedAt} />}</Fact>
    <Fact name="Expires">
      <TokenEnd token={token} now={ctx.site.now()} />
    </Fact>
    {token.previousValue && (
      <Fact name="Old value">
        <code>{token.previousValue.hint}</code>, active until <DateTime at={token.previousValue.expiresAt} />
      </Fact>
    )}
  </Facts>
)

const NewToken = ({ ended, ctx }: { ended: ListedToken | undefined; ctx: PageContext }) => (
  <>
    {ended && (
      <p class="caution">
        The token <code>{ended.hint}</code> {ended.revokedAt === null ? 'expired' : 'was revoked'}{' '}
        <RelativeTime at={ended.revokedAt ?? ended.expiresAt} />. The directory cannot change anything until you create another one.
      </p>
    )}
    <p>The directory needs a token. It can only add, change and remove members and groups of this team, and does not expire.</p>
    <Form name="create" hidden={idempotencyKeyField(ctx)}>
      <Buttons>
        <Button>Create token</Button>
      </Buttons>
    </Form>
  </>
)
