import { shownAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { Buttons } from '../../web/components/forms/button.tsx'
import { StrongAddress } from '../../web/components/address.tsx'
import { securityPath, signInAsAnotherAt } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'

/** A notice that the opened link belongs to another account than the signed-in one. The link stays saved. */
export const AnotherAccount = ({ ctx: { path, person } }: { ctx: PageContext }) => (
  <section>
    <h2>This link belongs to another account</h2>
    <p>
      You are signed in as <StrongAddress>{person ? shownAddress(person.user.email, person.user.name) : ''}</StrongAddress>. Nothing was
      changed. To use the link, sign in to the account that it was sent for.
    </p>
    <Buttons>
      <a class="button" href={signInAsAnotherAt(path)}>
        Sign in to that account
      </a>
      <a class="button second" href={securityPath}>
        Keep this account
      </a>
    </Buttons>
  </section>
)
