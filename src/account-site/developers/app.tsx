import { Fact, Facts } from '../../web/components/facts.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { DeveloperAppDocument } from '../generated/operations.ts'
import type { DeveloperAppQuery } from '../generated/operations.ts'
import { reviewForms } from './form/app-forms.ts'
import { grantLabels, hasUsers } from './form/app-kinds.ts'
import { appPage, appPath } from './app-page.tsx'
import { LastUsed } from './apps.tsx'
import { ChangesSection, ReviewSection } from './review.tsx'
import { FailuresSection, UsageSection } from './usage.tsx'

type App = DeveloperAppQuery['team']['client']

/** An app: its availability, refused requests and connections. */
export const app = page({
  ...appPage,
  path: appPath,
  document: DeveloperAppDocument,
  forms: reviewForms,
  view: ({ team: { client } }, ctx) => (
    <>
      <About app={client} />
      {client.proposedChanges.length > 0 && <ChangesSection changes={client.proposedChanges} />}
      <FailuresSection failures={client.failures} />
      {(hasUsers(client) || client.live.total > 0) && <UsageSection live={client.live} ctx={ctx} />}
    </>
  ),
})

const About = ({ app }: { app: App }) => (
  <section>
    <Facts isNarrow>
      <Fact name="Client ID">
        <code>{app.clientId}</code>
      </Fact>
      <Fact name="Type">{app.confidential ? 'Confidential (has a secret)' : 'Public (has no secret)'}</Fact>
      <Fact name="Flows">{app.grantTypes.map((grant) => grantLabels[grant]?.label ?? grant).join(', ')}</Fact>
      <Fact name="Last used">
        <LastUsed app={app} />
      </Fact>
      <Fact name="Created">
        <RelativeTime at={app.createdAt} />
      </Fact>
    </Facts>
    {app.disabledAt !== null && <p class="alert">An operator of this service has disabled the app. It cannot be used.</p>}
    <ReviewSection app={app} />
  </section>
)
