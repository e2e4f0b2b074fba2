ALTER TABLE "sessions" ADD COLUMN "proved_two_factor" BOOLEAN NOT NULL DEFAULT false;

-- Sessions that exist keep what their sign-in proved: a code or a passkey, or the trust of a device in which a code or passkey was used.
-- Those of a password alone have proved nothing more. Their users stay signed in, and are asked for the second factor if they have one.
-- The version before this one signs users in without writing the column: they are asked once more.
UPDATE "sessions" SET "proved_two_factor" = true WHERE "methods" && ARRAY['otp', 'hwk'] OR "skipped_second_factor";
