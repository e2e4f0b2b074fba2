import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { Address, Name } from '../../web/components/address.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { OverviewQuery } from '../generated/operations.ts'

interface RoleSectionProps {
  owners: NonNullable<OverviewQuery['used']['owners']>
  ctx: PageContext
}

/** The role of a user who is not an owner, with the names of the owners, who can change it. */
export const OwnRoleSection = ({ owners: { nodes, total }, ctx: { path, team } }: RoleSectionProps) => (
  <section aria-labelledby="role">
    <h2 id="role">Your role</h2>
    <p>
      {team?.role === 'billing' ? 'You have the billing role and see the invoices of this team.' : 'You are a member of this team.'} To
      change your role or your products, ask an owner.
    </p>
    <ul class="contacts">
      {nodes.map(({ name, email, pictureUrl }) => (
        <li class="who">
          <Avatar of="person" name={name} picture={pictureUrl} />
          <span>
            <Name>{name}</Name> <Contact email={email} />
          </span>
        </li>
      ))}
    </ul>
    {total > nodes.length && (
      <p>
        <a href={`${path}/members?role=OWNER`}>All {total.toLocaleString('en')} owners</a>
      </p>
    )}
  </section>
)

const Contact = ({ email }: { email: string }) =>
  hasAddress(email) ? (
    <a class="about" href={`mailto:${encodeURIComponent(email)}`}>
      <Address>{email}</Address>
    </a>
  ) : (
    <span class="about">
      <Address>{email}</Address>
    </span>
  )
