-- The users who have two-factor authentication: an authenticator app, or passkeys together with recovery codes. A user who added a passkey
-- to sign in without the password did not ask for a second factor.
CREATE VIEW "users_with_two_factor" AS
    SELECT u."id" FROM "users" u WHERE u."totp_secret" IS NOT NULL
        OR EXISTS (SELECT FROM "passkeys" WHERE "user_id" = u."id") AND EXISTS (SELECT FROM "recovery_codes" WHERE "user_id" = u."id");

-- A function for the statements of every request, which rarely need it: PostgreSQL prepares a subquery for each execution, even one that
-- is not reached.
CREATE OR REPLACE FUNCTION "has_two_factor"("person" UUID) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM "users_with_two_factor" WHERE "id" = "person");
END $$;
