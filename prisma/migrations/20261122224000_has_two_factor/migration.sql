-- Whether a user has two-factor authentication: an authenticator app, or passkeys together with recovery codes. A function for
-- the statements of every request, which rarely need it: PostgreSQL prepares a subquery for each execution, even one that is
-- not reached. Statements about many users have the same condition as subqueries (schema/core/team-access/two-factor.ts).
CREATE FUNCTION "has_two_factor"("person" UUID) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM "users" u WHERE u."id" = "person" AND (u."totp_secret" IS NOT NULL
            OR EXISTS (SELECT FROM "passkeys" WHERE "user_id" = u."id") AND EXISTS (SELECT FROM "recovery_codes" WHERE "user_id" = u."id"))
    );
END $$;
