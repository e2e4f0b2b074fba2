import { counted } from '../../labels.ts'

/** The groups on the page of the sign-in settings: how many have a role, and the link to them. */
export const GroupsSection = ({ groups, path }: { groups: number; path: string }) => (
  <section aria-labelledby="groups">
    <h2 id="groups">Groups</h2>
    <p>
      {groups === 0
        ? 'Groups of your organization can decide the role and the products of their members.'
        : `${counted(groups, 'group decides', 'groups decide')} the role and the products of their members.`}
    </p>
    <a class="button second" href={`${path}/groups`}>
      View the groups
    </a>
  </section>
)
