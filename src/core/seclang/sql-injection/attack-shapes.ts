/**
 * The kinds of the first five folded tokens of attacks; `*` stands for any fifth one. Collected from many
 * forms of injections, values assembled from pieces of SQL, and the tests of the Core Rule Set: the more
 * frequent shapes that libinjection takes for attacks.
 */
const shapes = new Set(
  `
  &(1)U &(1)o &(1o( &(1of &(1os &(1ov &(f() &(f(1 &(f(f &(f(n &(f(s &(f(v &(n)U &(no( &(nof &(nos &(nov &(so( &(so1 &(sof
  &(son &(sos &(sov &(v)U &(vo( &(vof &1UE* &1o(1 &1of( &1os1 &f()U &f()o &f(1) &f(f( &f(so &nUE1 &nUEf &nUEn &nUEs &no(1
  &nof( &sUE1 &sUEf &sUEn &sUEv &so(1 &sof( &vUE1 &vUEf &vUEk &vUEn &vUEv &vo(1 &vof( &vosU )&(Ek )&(En 1&(1& 1&(1) 1&(1o
  1&(E* 1&(f( 1&(n& 1&(n) 1&(no 1&(s& 1&(so 1&(v& 1&(v) 1&(vo 1&1 1&1)* 1&1; 1&1;E 1&1;T 1&1;c 1&1B( 1&1B1 1&1Bf 1&1Bn 1&1Tn
  1&1U( 1&1UE 1&1c 1&1f( 1&1kn 1&1ks 1&1o( 1&1of 1&1os 1&1ov 1&Ek* 1&f(* 1&kc 1&n)& 1&n)c 1&n)o 1&n; 1&n;c 1&nB( 1&nB1 1&nBn
  1&nUE 1&nc 1&nf( 1&nkn 1&nks 1&no( 1&nof 1&nos 1&nov 1&s 1&s)& 1&s)c 1&s1 1&s1; 1&s;c 1&sB( 1&sB1 1&sU( 1&sUE 1&sc 1&so*
  1&v 1&v)& 1&v)c 1&v; 1&v;c 1&vB* 1&vTn 1&vU( 1&vUE 1&vc 1&vf( 1&vks 1&vo( 1&vof 1&vos 1&vs 1&vso 1)&(* 1)&1 1)&1* 1)&f(
  1)&n 1)&n) 1)&n; 1)&nU 1)&nc 1)&no 1)&s 1)&s* 1)&v 1)&v) 1)&v; 1)&vB 1)&vU 1)&vc 1)&vf 1)&vo 1);E* 1);T* 1)B(1 1)B(f 1)B(n
  1)B(s 1)B(v 1)B1 1)B1& 1)B1; 1)B1U 1)B1c 1)B1k 1)B1n 1)B1o 1)Bf( 1)Bn 1)Bn& 1)Bn; 1)BnU 1)Bnc 1)Bnk 1)Bno 1)Bs 1)Bs& 1)Bs;
  1)Bsc 1)Bso 1)Bv 1)Bv& 1)Bv; 1)Bvc 1)Bvo 1)U(E 1)UE* 1)c 1)knk 1)ks& 1)ks; 1)ksB 1)ksU 1)kso 1)o(* 1)o1 1)o1& 1)o1) 1)o1;
  1)o1B 1)o1U 1)o1c 1)o1k 1)of( 1)on& 1)on) 1)on; 1)onB 1)onU 1)onc 1)onk 1)os 1)os& 1)os) 1)os; 1)osB 1)osU 1)osc 1)osk
  1)ov 1)ov& 1)ov) 1)ov; 1)ovB 1)ovU 1)ovc 1)ovk 1)ovo 1,(E1 1,(En 1,f(* 1;E1k 1;Ef( 1;Ek1 1;EnE 1;Enc 1;Enk 1;Es, 1;Es;
  1;Esc 1;Esk 1;Eso 1;Ev; 1;Evc 1;Evk 1;Evo 1;T(v 1;T1; 1;T1c 1;T1k 1;T1o 1;T; 1;T;c 1;Tkn 1;Tks 1;Tn( 1;Tn, 1;Tn; 1;Tnc
  1;Tnk 1;Tnn 1;Tno 1;Tns 1;To( 1;Tv( 1;Tvt 1Af(1 1B(1) 1B(1o 1B(f( 1B(no 1B(so 1B(v) 1B(vo 1B1 1B1&( 1B1&1 1B1&f 1B1&n
  1B1&s 1B1&v 1B1,f 1B1; 1B1;c 1B1B( 1B1B1 1B1Bf 1B1Bn 1B1Bs 1B1Bv 1B1U( 1B1UE 1B1c 1B1k1 1B1kf 1B1kn 1B1ks 1B1o( 1B1of
  1B1os 1B1ov 1BEk( 1Bf() 1Bf(1 1Bf(f 1Bf(n 1Bf(s 1Bf(v 1Bn 1Bn&( 1Bn&1 1Bn&f 1Bn&n 1Bn&s 1Bn&v 1Bn; 1Bn;c 1BnB* 1BnU( 1BnUE
  1Bnc 1Bnkn 1Bnks 1Bno( 1Bnof 1Bnos 1Bnov 1Bs 1Bs&1 1Bs&f 1Bs&n 1Bs&s 1Bs,f 1Bs; 1BsB1 1BsBn 1BsUE 1Bsc 1Bso( 1Bso1 1Bsof
  1Bson 1Bsos 1Bsov 1Bv 1Bv&( 1Bv&1 1Bv&f 1Bv&s 1Bv&v 1Bv; 1Bv;c 1BvB1 1BvU( 1Bvc 1Bvo( 1Bvof 1Bvos 1Ef() 1Ef(1 1Ekf( 1Eokn
  1Tf() 1Tf(1 1Tn(1 1Tn1o 1TnTn 1Tnf( 1Tnno 1Tno( 1Tnos 1Tnso 1Tnvo 1U 1U(E* 1U1c 1UE1 1UE1* 1UEf( 1UEk* 1UEn 1UEn* 1UEok
  1UEs 1UEs* 1UEv 1UEv* 1Uc 1Uf(1 1c 1f()1 1f()f 1f()k 1f()n 1f()o 1f()s 1f(1) 1f(1o 1f(E1 1f(Ef 1f(Ek 1f(En 1f(Es 1f(f(
  1f(no 1k(f( 1k1B1 1k1c 1kf() 1kf(1 1kf(n 1knB* 1knc 1ks 1ks&* 1ks; 1ks;* 1ksB* 1ksEk 1ksU( 1ksUE 1ksc 1kso* 1kvB1 1n&f(
  1n(f( 1o(1o 1o(E* 1o(f( 1o(n) 1o(s) 1o(so 1o(v* 1of() 1of(1 1of(E 1of(f 1of(n 1of(s 1ok1o 1okf( 1os&( 1os&1 1os&E 1os&f
  1os&n 1os&s 1os&v 1os(E 1os)& 1os)c 1os)o 1os,( 1os,f 1os1s 1os; 1os;T 1os;c 1osB( 1osB1 1osBE 1osBf 1osBn 1osBv 1osE1
  1osEk 1osTn 1osU( 1osUE 1osc 1osf( 1oskn 1osks 1osvU 1ov 1ov&( 1ov&1 1ov&E 1ov&f 1ov&n 1ov&s 1ov&v 1ov)* 1ov,( 1ov,f 1ov;
  1ov;E 1ov;T 1ov;c 1ovB( 1ovB1 1ovBf 1ovBn 1ovBs 1ovTn 1ovU* 1ovc 1ovkn 1ovks 1ovo( 1ovs( 1ovsv 1sf() 1sf(1 1sf(f 1sf(n
  1sf(s 1sf(v 1sv 1svo( 1svof 1svos 1vf(1 1vs ;Tknc E(f(1 E1) E1)&( E1)&1 E1)&s E1)&v E1); E1);E E1);c E1)c E1)kn E1)o(
  E1)os E1f(1 E1k(E E1nc E1of( Ef()f Ef()k Ef()n Ef()o Ef(1* Ef(f( Ef(no Ef(s& Ek(f( Ek1f( Ek1n Ek1s Ekf() Ekf(1 Ekf(E Ekf(n
  Ekf(o Ekn(1 EknB1 Eknf( Eknks Eko(f Eksf( En(f( EnB1o Enf(1 Enkf( Enkn) Enof( Eoknk Es&(E Es1 Esf() Esf(1 Esf(f Esf(n
  Esf(s Esk(n Eskf( Eskn Eso(n Esof( Eson( Esv Evn Evs T1f(1 T1of( Tf()f Tf()o Tf(1) Tf(1o Tf(f( Tf(no Tn(1) Tn(f( Tn1os
  Tn1ov Tnf() Tnf(1 Tnf(n Tnf(s Tnno( Tnnos Tnnov Tnof( Tnson Tnsos Tnvos Tsf(1 Tvof( U(E1) U(Ef( U(Ek1 U(En) U(Enk U(Eok
  U(Es) U(Ev) UE1 UE1; UE1;c UE1c UE1k* UE1o( UE1ov UEf() UEf(n UEn;c UEnc UEnk* UEnof UEs UEsc UEsk* UEv UEv;c UEvc UEvk*
  UEvo( Uf(f( f()&( f()&1 f()&E f()&f f()&n f()&s f()1f f()1n f()1o f()1s f()B1 f()Bf f()Bn f()E1 f()Ef f()Ek f()En f()Eo
  f()Es f()T1 f()TE f()TT f()Tf f()Tn f()Ts f()U f()U( f()UE f()c f()f( f()k( f()k1 f()kf f()kn f()ks f()n& f()n( f()n1
  f()nE f()nf f()no f()o( f()o1 f()oU f()of f()ok f()on f()os f()ov f()s1 f()sf f()so f()v( f()vo f()vs f(1) f(1)* f(1,f
  f(1o( f(1of f(E1) f(E1k f(Ef( f(Ek1 f(Ekf f(Ekn f(Eko f(Eks f(Enk f(Eok f(Esk f(Eso f(f() f(f(1 f(f(E f(f(f f(f(n f(f(s
  f(f(v f(n)o f(no( f(nof f(nos f(son k(f() k(f(1 k(f(f k(f(n k(no( k(nof k1of( kf()k kf()o kf(1) kf(f( kf(no knkf( knknU
  ks,f( kskf( kskso kso(1 kso(f kso(n kso(s kso(v ksof( ksovs kvof( n&(1& n&(1) n&(1o n&(E* n&(f( n&(n& n&(n) n&(no n&(s&
  n&(s) n&(so n&(v& n&(v) n&(vo n&1 n&1)* n&1; n&1;E n&1;T n&1;c n&1B( n&1B1 n&1Bf n&1Bn n&1Bs n&1U* n&1c n&1kn n&1ks n&1o(
  n&1of n&1os n&1ov n&Ek( n&Ek1 n&Ekf n&Ekn n&Eks n&Ekv n&Es n&f(* n&n)& n&nB1 n&nUE n&nf( n&nks n&no( n&nof n&nos n&nov
  n&s)c n&s1c n&s; n&sBn n&sUE n&sc n&so( n&so1 n&sof n&son n&sos n&sov n&v n&v)c n&v;c n&vBf n&vU( n&vUE n&vc n&vo( n&vof
  n&vos n&vs n)&(* n)&so n);Tv n)B1 n)B1o n)UEv n)knk n)o1c n)of( n)os n,(1) n,(E1 n,(En n,f(* n1of( n;E1c n;E1k n;E1o n;Ef(
  n;EnE n;Enk n;Es; n;Esc n;Esk n;Eso n;Ev; n;Evc n;Evk n;Evo n;T(v n;T1; n;T1c n;T1k n;T1o n;T;c n;Tks n;Tn* n;To( n;Tv(
  n;Tvt nAf() nAf(1 nB(1) nB(1o nB(f( nB(no nB(so nB(v) nB(vo nB1 nB1&( nB1&1 nB1&f nB1&n nB1&s nB1&v nB1,( nB1,f nB1; nB1;c
  nB1B1 nB1Bn nB1U( nB1UE nB1c nB1k1 nB1kn nB1ks nB1o( nB1of nB1os nB1ov nBEk( nBf() nBf(1 nBf(f nBf(n nBf(s nBf(v nBn&(
  nBn&1 nBn&n nBn&s nBn&v nBn; nBn;c nBnB1 nBnUE nBnc nBnks nBno( nBnof nBnos nBnov nBs nBs;c nBsc nBso( nBso1 nBsof nBson
  nBsos nBv nBv&( nBv&n nBv&s nBvBn nBvc nBvks nBvo( nBvof nBvos nEf() nEf(1 nEf(n nEokn nEsTn nEsof nEson nTEso nTf() nTf(1
  nTf(f nTf(n nTf(s nTn(1 nTn1o nTnEs nTnTn nTnf( nTnkn nTnno nTno( nTnof nTnos nTnov nTnso nTnvo nU(E* nUE1 nUE1* nUEf(
  nUEk* nUEn nUEn* nUEok nUEs& nUEs) nUEs; nUEsB nUEsc nUEsk nUEso nUEv nUEv* nUc nUf(1 nc nf()1 nf()f nf()k nf()n nf()o
  nf()s nf(1) nf(1o nf(E1 nf(Ek nf(En nf(Es nf(f( nf(no nf(so nk(1) nk(f( nk(no nk1B1 nk1c nkf() nkf(1 nkf(f nkf(n nknB1 nks
  nks&* nks; nks;E nks;T nks;c nksB* nksU( nksUE nksc nkso( nkso1 nksof nkson nksos nksov no(E* no(f( no(no no(s) no(v)
  nof() nof(1 nof(E nof(f nof(n nof(s nok(f nok(n nok1o nokf( noko( nokso nokvo nos&( nos&1 nos&f nos&s nos)& nos)c nos)o
  nos1s nos; nos;c nosB* nosE1 nosU( nosUE nosc nosf( noskn nov&( nov&1 nov&E nov&f nov&s nov&v nov)& nov)c nov)o nov,(
  nov,f nov; nov;E nov;T nov;c novB( novB1 novBf novBn novBv novEn novTn novU( novUE novc novf( novkn novks novo( novsf
  nsUEk nso1U nsonU nsosU nsovU s&(1& s&(1) s&(1o s&(E* s&(f( s&(n& s&(n) s&(no s&(s& s&(s) s&(so s&(v& s&(v) s&(vo s&1
  s&1)& s&1)c s&1; s&1;c s&1B1 s&1Tn s&1U s&1U* s&1c s&1f( s&1ks s&1o( s&1of s&1os s&1ov s&Ef( s&Ek* s&Es s&f(* s&kc s&kf(
  s&kon s&n s&n)& s&n)c s&n)o s&n; s&n;c s&nB( s&nB1 s&nBn s&nTn s&nU( s&nUE s&nc s&nf( s&nkn s&no( s&nof s&nos s&nov s&s
  s&s)& s&s)c s&s)o s&s1 s&s1; s&s1c s&s; s&s;c s&sB1 s&sU( s&sUE s&sc s&so* s&v s&v)& s&v)c s&v)o s&v; s&v;c s&vB( s&vB1
  s&vBn s&vTn s&vU( s&vUE s&vc s&vf( s&vkn s&vks s&vo( s&vof s&vos s&vs s(Ef( s(Enk s)&(* s)&1 s)&1* s)&f( s)&n s)&n) s)&n;
  s)&nB s)&nU s)&nc s)&no s)&s s)&s) s)&s; s)&sB s)&sU s)&sc s)&so s)&v s)&v) s)&v; s)&vU s)&vc s)&vf s)&vo s),(1 s);E*
  s);T* s)B(1 s)B(f s)B(n s)B(s s)B(v s)B1 s)B1& s)B1; s)B1U s)B1c s)B1k s)B1n s)B1o s)Bf( s)Bn s)Bn& s)Bn; s)BnU s)Bnc
  s)Bnk s)Bno s)Bs s)Bs& s)Bsc s)Bso s)Bv s)Bv& s)Bv; s)Bvc s)Bvo s)Esc s)U(E s)UE* s)c s)knk s)ks& s)ks; s)ksB s)ksE s)ksU
  s)kso s)o(* s)o1 s)o1& s)o1) s)o1; s)o1B s)o1U s)o1c s)o1k s)of( s)on& s)on) s)on; s)onB s)onU s)onc s)onk s)os s)os&
  s)os) s)os; s)osB s)osU s)osc s)osk s)ov s)ov& s)ov) s)ov; s)ovB s)ovU s)ovc s)ovk s)ovo s,(1) s,(E1 s,(En s,f(* s1UEk
  s1f() s1f(1 s1f(n s1nc s1sc s1v s1vc s1vos s;E1c s;E1k s;E1o s;Ef( s;Ek1 s;En; s;EnE s;Enk s;Es; s;Esc s;Esk s;Eso s;Ev;
  s;Evc s;Evk s;Evo s;T(v s;T1( s;T1; s;T1c s;T1o s;T; s;T;c s;Tkn s;Tks s;Tn* s;To( s;Tv( s;Tvt sB(1) sB(1o sB(f( sB(no
  sB(so sB(v) sB(vo sB1 sB1&( sB1&1 sB1&f sB1&n sB1&s sB1&v sB1,( sB1,f sB1; sB1;c sB1B( sB1B1 sB1Bf sB1Bn sB1Bs sB1U( sB1UE
  sB1c sB1k1 sB1kf sB1kn sB1ks sB1o( sB1of sB1os sB1ov sBEk( sBf() sBf(1 sBf(f sBf(n sBf(s sBf(v sBn sBn&( sBn&1 sBn&f sBn&n
  sBn&s sBn&v sBn,( sBn; sBn;c sBnB* sBnU( sBnUE sBnc sBnkn sBnks sBno( sBnof sBnos sBnov sBs sBs&( sBs&s sBs&v sBs; sBsB1
  sBsBn sBsU( sBsUE sBsc sBskn sBso( sBso1 sBsof sBson sBsos sBsov sBv sBv&( sBv&1 sBv&f sBv&n sBv&s sBv&v sBv; sBv;c sBvU(
  sBvc sBvks sBvo( sBvof sBvos sE1c sEf() sEf(1 sEk(1 sEk(E sEkf( sEkso sEnc sEokn sEsc sTf() sTf(1 sTf(n sTn(1 sTn1c sTn1o
  sTnTn sTnf( sTnkn sTnnc sTnno sTno( sTnof sTnos sTnov sTnso sTnvo sU(E* sU1c sU; sUE sUE1 sUE1* sUEf( sUEk* sUEn sUEn*
  sUEok sUEs sUEs* sUEv sUEv* sUTns sUc sUf(1 sc sf()1 sf()U sf()f sf()k sf()n sf()o sf()s sf(1) sf(1n sf(1o sf(E1 sf(Ef
  sf(Ek sf(En sf(Es sf(Ev sf(f( sf(n, sf(no sf(so sk(f( sk(no sk1B1 sk1c sk1os skf() skf(1 skf(n sknB1 sknc sks sks&* sks;
  sks;* sksB* sksU( sksUE sksc skso* skvB1 skvc so(1* so(E* so(f( so(n) so(no so(s) so(so so(v* so1&* so1)& so1)c so1)o
  so1,( so1,f so1; so1;E so1;T so1;c so1B( so1B1 so1BE so1Bf so1Bn so1Bs so1Bv so1E1 so1Ek so1En so1Eo so1Tn so1U so1U(
  so1UE so1c so1f( so1k1 so1kn so1ks so1n& so1n( so1sv so1vo sof(* sok&n sok&s sok(n sok1o sokf( soknc sokvo son&( son&1
  son&E son&f son&k son&n son&s son&v son(1 son)& son)c son)o son,( son,f son; son;E son;T son;c sonB( sonB1 sonBE sonBf
  sonBn sonBs sonEo sonEs sonTn sonU sonU( sonUE sonf( sonk1 sonkB sonkf sonks sos sos&( sos&1 sos&E sos&f sos&n sos&s sos&v
  sos)& sos)c sos)o sos,( sos,f sos1s sos; sos;E sos;T sos;c sosB( sosB1 sosBf sosBn sosTn sosU* sosc sosf( soskn sosks sov
  sov&( sov&1 sov&E sov&f sov&n sov&s sov&v sov)* sov,( sov,f sov; sov;E sov;T sov;c sovB( sovB1 sovBE sovBf sovBn sovBs
  sovBv sovE1 sovEn sovTn sovU( sovUE sovc sovf( sovkn sovks sovo( sovs( sovsf sovso sovsv svf(1 svo(1 svof( svsc v&(1*
  v&(E* v&(f( v&(n& v&(n) v&(no v&(s& v&(so v&(v& v&(v) v&(vo v&1 v&1)c v&1)o v&1; v&1;E v&1;T v&1;c v&1B( v&1B1 v&1Bf v&1Bn
  v&1U( v&1UE v&1c v&1kn v&1ks v&1o( v&1of v&1os v&1ov v&Ek* v&f(* v&n v&n)& v&n)c v&n; v&n;c v&nB1 v&nUE v&nc v&nkn v&nks
  v&no( v&nof v&nos v&nov v&s v&s)& v&s; v&sUE v&sc v&sks v&so* v&v v&v)& v&v)c v&v)o v&v;T v&vB1 v&vUE v&vc v&vkn v&vks
  v&vo( v&vof v&vos v&vs v&vso v)&(* v)c v)os v,(1) v,(E1 v,(En v,f(* v;E1; v;E1k v;Ef( v;Ek1 v;EnE v;Enk v;Es; v;Esc v;Esk
  v;Ev; v;Evc v;Evk v;Evo v;T(v v;T1c v;T1k v;T; v;Tkn v;Tks v;Tn* v;Tv( v;Tvt vB(1) vB(1o vB(f( vB(no vB(so vB(v) vB(vo vB1
  vB1&( vB1&1 vB1&f vB1&n vB1&s vB1; vB1;c vB1B( vB1B1 vB1Bf vB1Bn vB1Bv vB1U( vB1c vB1kf vB1kn vB1ks vB1kv vB1o( vB1of
  vB1os vB1ov vBEk( vBf() vBf(1 vBf(f vBf(n vBf(s vBf(v vBn vBn&* vBn; vBn;c vBnB1 vBnBn vBnc vBnks vBno( vBnof vBnov vBs
  vBs&1 vBs&s vBso( vBso1 vBsof vBson vBsos vBv vBv&1 vBv&f vBv&n vBv&v vBv; vBv;c vBvBv vBvU( vBvc vBvo( vBvof vEf(* vEkf(
  vTn1o vTnT* vTnf( vTnvo vU vU(E* vUE1 vUE1* vUEf( vUEk1 vUEn vUEn* vUEok vUEs vUEs* vUEv vUEv* vUc vUf(* vc vf(1* vf(E1
  vf(En vf(Es vf(f( vk1c vkf(1 vks vks&* vks; vks;* vksB* vksU( vksUE vksc vkso* vo(1) vo(E* vo(f( vo(n) vo(s) vo(v* vof(*
  vokf( vos vos&( vos&E vos&f vos&s vos&v vos)* vos,( vos,f vos1s vos; vos;T vos;c vosB1 vosBE vosBn vosU( vosUE vosc vosks
  `
    .trim()
    .split(/\s+/),
);

export function isAttackShape(shape: string): boolean {
  return shapes.has(shape) || (shape.length === 5 && shapes.has(`${shape.slice(0, 4)}*`));
}
