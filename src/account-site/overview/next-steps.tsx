interface NextStepsProps {
  /** Path of the team. */
  path: string
  hasOthers: boolean
  hasToken: boolean
}

/** What an owner of a new team can do next. Renders nothing once both are done. */
export const NextSteps = ({ path, hasOthers, hasToken }: NextStepsProps) =>
  hasOthers && hasToken ? null : (
    <section aria-labelledby="next">
      <h2 id="next">Set up your team</h2>
      <ul class="entries">
        {!hasOthers && (
          <li>
            <span>Invite the people you work with.</span>
            <a href={`${path}/members`}>Invite members</a>
          </li>
        )}
        {!hasToken && (
          <li>
            <span>Connect your scripts and servers to the API.</span>
            <a href={`${path}/tokens/new`}>Create a team token</a>
          </li>
        )}
      </ul>
    </section>
  )
