import { Module } from '@nestjs/common';
import { LoginEndings } from './login-endings';

/** Notices of logins from somewhere new. */
@Module({ providers: [LoginEndings], exports: [LoginEndings] })
export class LoginNoticesModule {}
