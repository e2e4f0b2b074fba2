import { counted } from '../../labels.ts'

/** Leads from the sign-in settings to the directory. `users` is how many it has sent. */
export const DirectorySection = ({ users, path }: { users: number; path: string }) => (
  <section aria-labelledby="directory">
    <h2 id="directory">Directory</h2>
    <p>
      {users === 0
        ? 'The directory of your organization can add and remove members, and send its groups (SCIM 2.0).'
        : `The directory of your organization has sent ${counted(users, 'user', 'users')}, whose membership it manages.`}
    </p>
    <a class="button second" href={`${path}/directory`}>
      View the directory
    </a>
  </section>
)
