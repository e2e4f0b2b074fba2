import { z } from 'zod'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import {
  AccessDocument,
  RevokeGrantTeamAccessDocument,
  RevokeTokenTeamAccessDocument,
  RevokeTokenDocument,
} from '../generated/operations.ts'
import { PageLinks, pageNumberOf } from '../../web/components/page-links.tsx'
import { Name } from '../../web/components/name.tsx'
import { AccessTable } from './access-table.tsx'

/** Everything besides signed-in members that can access the team: team tokens, personal tokens and applications. */
export const access = page({
  path: '/teams/:team/access',
  title: 'Who can touch this team',
  nav: { section: 'team', label: 'Access', order: 70 },
  document: AccessDocument,
  variables: ({ query, param }) => ({
    team: param('team'),
    tokens: pageNumberOf(query, 'tokens'),
    personal: pageNumberOf(query, 'personal'),
    grants: pageNumberOf(query, 'grants'),
  }),
  forms: {
    'revoke-token': form({
      fields: z.object({ id: text }),
      document: RevokeTokenDocument,
      variables: (input) => ({ input }),
      notice: 'The team token is revoked. It opens nothing any more.',
    }),
    'cut-token': form({
      fields: z.object({ tokenId: text }),
      document: RevokeTokenTeamAccessDocument,
      variables: ({ tokenId }, ctx) => ({ input: { team: ctx.param('team'), tokenId } }),
      notice: 'The personal token reaches this team no longer.',
    }),
    'cut-grant': form({
      fields: z.object({ grantId: text }),
      document: RevokeGrantTeamAccessDocument,
      variables: ({ grantId }, ctx) => ({ input: { team: ctx.param('team'), grantId } }),
      notice: 'The application reaches this team no longer.',
    }),
  },
  view: ({ team: { tokens, personalTokens, grants } }, { path, query }) => (
    <>
      <p>Besides its members, who sign in, these reach the team at present. What you cut off here is cut off at once.</p>
      <AccessTable
        id="team-tokens"
        title="Team tokens"
        description="They belong to the team and act for it."
        none="The team has no token that works."
        form="revoke-token"
        warning="The token ends for good, and what uses it fails."
        total={tokens.total}
        rows={tokens.nodes.map(({ createdBy, ...token }) => ({
          ...token,
          hidden: { id: token.id },
          person: createdBy && (
            <>
              Created by <Name>{createdBy.name}</Name>
            </>
          ),
        }))}
      />
      <PageLinks label="Pages of team tokens" path={path} query={query} parameter="tokens" list={tokens} />
      <AccessTable
        id="personal-tokens"
        title="Members’ personal tokens"
        description="They act for a member, in all teams of that member."
        none="No member has a personal token that reaches the team."
        form="cut-token"
        warning="The token no longer reaches this team. For that member it would have to be created anew; their other teams stay, and so do they."
        total={personalTokens.total}
        rows={personalTokens.nodes.map(({ user, ...token }) => ({
          ...token,
          hidden: { tokenId: token.id },
          person: (
            <>
              Of <Name>{user.name}</Name>
            </>
          ),
        }))}
      />
      <PageLinks label="Pages of personal tokens" path={path} query={query} parameter="personal" list={personalTokens} />
      <AccessTable
        id="applications"
        title="Applications"
        description="Members allowed them to act for them."
        none="No application reaches the team."
        form="cut-grant"
        warning="The application no longer reaches this team for that member, who would have to allow it anew."
        total={grants.total}
        rows={grants.nodes.map(({ user, client, teamSlug, ...grant }) => ({
          ...grant,
          name: client.name,
          hidden: { grantId: grant.id },
          person: (
            <>
              For <Name>{user.name}</Name>
              {teamSlug === null ? ', with no team in particular' : ', for this team'}
            </>
          ),
        }))}
      />
      <PageLinks label="Pages of applications" path={path} query={query} parameter="grants" list={grants} />
    </>
  ),
})
