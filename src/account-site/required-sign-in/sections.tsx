/** Leads from the sign-in settings of a team to its domains and to the requirement. */
export const RequiredSignInSections = ({ path }: { path: string }) => (
  <>
    <section aria-labelledby="domains">
      <h2 id="domains">Domains</h2>
      <p>Verify the domains of your members’ email addresses, so that they are offered your identity provider when they sign in.</p>
      <a class="button second" href={`${path}/domains`}>
        View the domains
      </a>
    </section>
    <section aria-labelledby="requirement">
      <h2 id="requirement">Required sign-in</h2>
      <p>You can require members with an email address in a verified domain to sign in through your identity provider.</p>
      <a class="button second" href={`${path}/requirement`}>
        View the requirement
      </a>
    </section>
  </>
)
