/**
 * The kinds of the folded tokens of attacks. A word of up to four letters is a shape; a longer one stands for
 * the shapes that begin with its first four letters and end with one of the others. Made by `npm run
 * crs:sql-shapes`, which puts values of every sequence of kinds to libinjection.
 */
const words = String.raw`
  &(1)Uo &(1o(fsv &(f()1fnsv &(n)Uo &(no(fsv &(s)Uo &(so(1fnsv &(v)Uo &(vo(fs &1UE(1fknsv &1o(1fnsv &1of( &1os(1Ufv &1ov(Ufs
  &f()Uo &f(1)o &f(f( &f(n)o &f(s)o &f(v)o &nUE(1fknsv &no(1fnsv &nof( &nos(1Ufv &nov(Ufs &sUE(1fknsv &so(1fnsv &so1(Ufnsv
  &sof( &son(1Uf &sos(1Ufv &sov(Ufs &vUE(1fknsv &vo(1fnsv &vof( &vos(1Ufv )&(Ekn )UE(1fnsv )UE1ko )UEf( )UEk(1fnsv )UEnko
  )UEsko )UEvko 1&(1&),o 1&(E(1fknosv 1&(f( 1&(n&),o 1&(s&),o 1&(v&),o 1&1 1&1)&Uco 1&1; 1&1;ETct 1&1B(1fnsv 1&1Ekn 1&1Tn 1&1U
  1&1U(;Ec 1&1c 1&1f( 1&1k(1fnsv 1&1o(fsv 1&E(1fnosv 1&E1 1&E1;cko 1&EUE 1&Ef( 1&Ek(1Ufnsv 1&En 1&En;cko 1&Es 1&Es;cko 1&Ev
  1&Ev;cko 1&f()1Efnsv 1&k(1fnsv 1&k1o 1&kc 1&kf( 1&knk 1&ko(1fknsv 1&kso 1&kvo 1&n)&Uco 1&n; 1&n;ETct 1&nB(1fnsv 1&nEn 1&nTn
  1&nU 1&nU(;Ec 1&nc 1&nf( 1&nk(1fnsv 1&no(fsv 1&s 1&s)&Uco 1&s1 1&s1;c 1&s; 1&s;ETct 1&sB(1fnsv 1&sEkn 1&sTn 1&sU 1&sU(;Ec
  1&sc 1&sf( 1&sk(1fnsv 1&so(1fnsv 1&sv 1&sv;co 1&v 1&v)&Uco 1&v; 1&v;ETct 1&vB(1fnsv 1&vEkn 1&vTn 1&vU 1&vU(;Ec 1&vc 1&vf(
  1&vk(1fnsv 1&vo(fs 1&vs 1&vs;co 1(Ef( 1(Ekfn 1(Enk 1(U(E 1)&(1Efnsv 1)&1 1)&1);BUcfo 1)&f( 1)&n 1)&n);BUcfo 1)&s 1)&s);BUcfo
  1)&v 1)&v);BUcfo 1),(fnsv 1);E(1fknosv 1);T(1fknosv 1);tko 1)B(1fnsv 1)B1 1)B1&;Uckno 1)Bf( 1)Bn 1)Bn&;Ucko 1)Bs 1)Bs&;Ucko
  1)Bv 1)Bv&;Ucko 1)E(1fnsv 1)E1co 1)Ef( 1)Ek(1fnsv 1)Enco 1)Esco 1)Evco 1)U(E 1)UE(1fknsv 1)c 1)f(f 1)k(1fnsv 1)k1&;BEUo
  1)kB(1fnsv 1)kUE 1)kf( 1)kn&;BEUck 1)ks&;BEUo 1)kv&;BEUo 1)o(1Efnsv 1)o1 1)o1&);BUck 1)of( 1)on&);BUck 1)os 1)os&);BUck 1)ov
  1)ov&);BUck 1,(1o 1,(E(1fknsv 1,(f( 1,(n)o 1,(s)o 1,(v)o 1,f()1fnsv 1;E(1Efnsv 1;E1,;Tckot 1;Ef( 1;Ek(1fnosv 1;En,;ETckot
  1;Es,;Tckot 1;Ev,;Tckot 1;T(1Ecfnsv 1;T1(,;Tcfkot 1;T; 1;T;c 1;TTn 1;Tf( 1;Tk(1fknosv 1;Tn(,1;Tcfknostv 1;To( 1;Ts(,;Tcfkot
  1;Tv(,;Tcfkot 1;n:Tt 1;t; 1;t;c 1;tTn 1;tf( 1;tk(1fknosv 1;tn,1;Tcfknostv 1;to( 1A(f( 1A(n)o 1A(s)o 1A(v)o 1ATUE 1ATo(1fnsv
  1Af()1fnsv 1AsUE 1Aso(1fnsv 1AtUE 1Ato(1fnsv 1AvUE 1Avo(fs 1B(1)o 1B(f( 1B(no 1B(s)o 1B(v)o 1B1 1B1&(1fnsv 1B1,(f 1B1; 1B1;c
  1B1B(1fnsv 1B1U(E 1B1c 1B1k(1fnsv 1B1o(fsv 1BE(1fnsv 1BEk( 1Bf()1fnsv 1Bn 1Bn&(1fnsv 1Bn,(f 1Bn; 1Bn;c 1BnB(1fnsv 1BnU(E 1Bnc
  1Bnk(1fnsv 1Bno(fsv 1Bs 1Bs&(1fnsv 1Bs,(f 1Bs; 1Bs;c 1BsB(1fnsv 1BsU(E 1Bsc 1Bsk(1fnsv 1Bso(1fnsv 1Bv 1Bv&(1fnsv 1Bv,(f 1Bv;
  1Bv;c 1BvB(1fnsv 1BvU(E 1Bvc 1Bvk(1fnsv 1Bvo(fs 1E(1)o 1E(f( 1E(n)o 1E(s)o 1E(v)o 1E1;Tt 1E1T(1fnsv 1E1UE 1E1c 1E1o(fsv
  1EU(1fnsv 1EU1,co 1EUEfk 1EUf( 1EUs,co 1EUv,co 1Ef()1fnsv 1Ek(1Efnsv 1Ek1;TUcot 1EkU(1Efsv 1Ekf( 1Ekn;ETUct 1Ekok 1Eks;TUcot
  1Ekv;TUcot 1En;Tt 1EnEn 1EnT(1fnsv 1EnUE 1Enc 1Eno(fsv 1Eokn 1Es;Tt 1EsT(1fnsv 1EsUE 1Esc 1Eso(1fnsv 1Ev;Tt 1EvT(1fnsv 1EvUE
  1Evc 1Evo(fs 1T(1)o 1T(f( 1T(n)o 1T(s)o 1T(v)o 1T1(f 1T1o(fsv 1TE(1fnsv 1TE1no 1TEf( 1TEk(1fnsv 1TEnno 1TEsno 1TEvno
  1TTnETknt 1Tf()1fnsv 1Tn(1fsv 1Tn1co 1Tn;ETnt 1TnE(1fnsv 1TnT(1fnsv 1Tnf( 1Tnkn 1Tnn:co 1Tno(fsv 1Tnsco 1Tnvco 1Ts(f
  1Tso(1fnsv 1TtnETknt 1Tv(1f 1Tvo(fs 1U 1U(1)o 1U(E(1fknsv 1U(f( 1U(n)o 1U(s)o 1U(v)o 1U1,(f 1U1c 1U1o(fsv 1U; 1U;c 1UE
  1UE(1Efnosv 1UE1 1UE1&(),;BUcfknosv 1UE; 1UE;c 1UEc 1UEf 1UEf(,;c 1UEk 1UEk(1;cfnosv 1UEn 1UEn&(),1;BUcfknos 1UEokn 1UEs
  1UEs&(),1;BUcfkov 1UEv 1UEv&(),;BUcfknos 1UTn(1fnsv 1Uc 1Uf()1fnsv 1Uk(E 1Uo(E 1Uon(1fs 1Us,(f 1Usc 1Uso(1fnsv 1Utn1fnsv
  1Uv,(f 1Uvc 1Uvo(fs 1c 1f()1Ufknosv 1f(1)no 1f(E(1fknsv 1f(f( 1f(n),o 1f(s)o 1f(v)o 1k(1o 1k(f( 1k(n)o 1k(s)o 1k(v)o
  1k)&(1fnsv 1k);ETt 1k)B(1fnsv 1k)E(1fknsv 1k)UE 1k)f( 1k)o(f 1k1 1k1&(1fnsv 1k1; 1k1;ETct 1k1B(1fnsv 1k1E(1fknsv 1k1U(E 1k1c
  1k1o(fsv 1kUE(1fknsv 1kf()1fnsv 1kn 1kn&(1fnsv 1kn; 1kn;ETct 1knB(1fnsv 1knE(1fnsv 1knU(E 1knc 1ks 1ks&(1fnsv 1ks; 1ks;ETct
  1ksB(1fnsv 1ksE(1fknsv 1ksU(E 1ksc 1kso(1fnsv 1kv 1kv&(1fnsv 1kv; 1kv;ETct 1kvB(1fnsv 1kvE(1fknsv 1kvU(E 1kvc 1kvo(fs 1n&f(
  1n(1o 1n(f( 1n(s)o 1n(v)o 1n)UE 1n,f( 1nE(1fnsv 1nE1co 1nEf( 1nEnco 1nEsco 1nEvco 1nU(E 1nUE 1nUE(1;cfknsv 1o(1&,o
  1o(E(1Efknosv 1o(f( 1o(n&),o 1o(s&),o 1o(v&),o 1oU(E 1oUEkn 1of()1Efnsv 1ok&(1fnsv 1ok(1fnsv 1ok1co 1okf( 1oknc 1oko( 1oksco
  1okvco 1onsU 1os&(1EUfknsv 1os(EU 1os)&,;BEUcfko 1os,(f 1os1(Ufnsv 1os; 1os;ETcnt 1osA(Tfstv 1osB(1Efnsv 1osE(1Ufknosv
  1osT(1ETfnstv 1osU 1osU(1;ETcfkostv 1osc 1osf( 1osk()1BUfnsv 1ostET 1osv(Ufos 1ov 1ov&(1EUfknsv 1ov(EU 1ov)&,;BEUcfko 1ov,(f
  1ov; 1ov;ETcnt 1ovA(Tfstv 1ovB(1Efnsv 1ovE(1Ufknosv 1ovT(1ETfnstv 1ovU 1ovU(1;ETcfkostv 1ovc 1ovf( 1ovk()1BUfnsv 1ovo(
  1ovs(1Ufov 1ovtET 1sUE 1sUE;ck 1sf()1fnsv 1sv 1sv; 1sv;c 1svc 1svo(fs 1tE(1fnsv 1tE1no 1tEf( 1tEk(1fnsv 1tEnno 1tEsno 1tEvno
  1tTnETknt 1tf()1fnsv 1tn1co 1tn;ETnt 1tnE(1fnsv 1tnT(1fnsv 1tnf( 1tnkn 1tnnco 1tno(fsv 1tnsco 1tnvco 1vUE 1vUE;ck 1vf()1fnsv
  1vo(1fnsv 1vof( 1vos(1Ufv 1vs 1vs; 1vs;c 1vsc 1vso(1fnsv ;T(Efk ;Tknc ;tknc E(1&(1fnsv E(1)&,1;BUcfknosv E(1,f E(1f( E(1n)
  E(1o(fsv E(1s) E(1v)o E(E(1Efnsv E(E1&)o E(Ef( E(Ek(1fnsv E(En&)o E(Es&)o E(Ev&)o E(f()1Efnsv E(n&(1fnsv E(n(1fsv
  E(n)&,1;BUcfknosv E(n,f E(n1)o E(nf( E(no(fsv E(s&(1fnsv E(s)&,1;BUcfknosv E(s,f E(s1) E(sf( E(so(1fnsv E(sv)o E(v&(1fnsv
  E(v)&,1;BUcfknosv E(v,f E(vf( E(vo(fs E(vs)o E1&(1Efnsv E1&1)o E1&f( E1&n)o E1&s)o E1&v)o E1) E1)&(1fnsv E1); E1);(ETct E1)UE
  E1)c E1)kn E1)o(1fnsv E1,(1fnsv E1,f( E1;(E E1B(1fnsv E1B1)o E1Bf( E1Bn)o E1Bs)o E1Bv)o E1U(E E1UE(1fknsv E1f()1fnsv
  E1k(1Efnsv E1k1)ko E1kf( E1kn E1kn);Uck E1ks)ko E1kv)ko E1n)U E1n; E1n;c E1nc E1nkn E1o(1Efnsv E1of( E1os&(),1;BUfkv
  E1ov&(),;BUfks E1s; E1s;c E1sc E1v E1v; E1v;c E1vc E1vo(fs EE(f( EEk(f Ef()&,1;BUfknosv Ef(1&),o Ef(E(1fknsv Ef(f( Ef(n&),o
  Ef(o) Ef(s&),o Ef(v&),o Ek(1&(),fnosv Ek(E(1fknsv Ek(f( Ek(n&(),1fo Ek(s&(),1fov Ek(v&(),fos Ek1&(1fnsv Ek1) Ek1)&;Ucko
  Ek1,(f Ek1;( Ek1B(1fnsv Ek1U(E Ek1f( Ek1k(1fnsv Ek1n Ek1n);ck Ek1o(fsv Ek1s Ek1s;cfk Ek1v Ek1v;cfko EkE(f EkEk( Ekf()1Efnosv
  Ekn&(1fnsv Ekn(1fsv Ekn) Ekn)&;Ucko Ekn,(f Ekn1 Ekn1;cko Ekn;( EknB(1fnsv EknU(E Eknf( Eknk(1fnsv Eko(1fnsv Ekok(n Eks&(1fnsv
  Eks) Eks)&;Ucko Eks,(f Eks1 Eks1;cfk Eks;( EksB(1fnsv EksU(E Eksf( Eksk(1fnsv Ekso(1fnsv Eksv Eksv;cfko Ekv&(1fnsv Ekv)
  Ekv)&;Ucko Ekv,(f Ekv;( EkvB(1fnsv EkvU(E Ekvf( Ekvk(1fnsv Ekvo(fs Ekvs Ekvs;cfko En&(1Efnsv En&1)o En&f( En&n)o En&s)o
  En&v)o En(1o En(f( En(s)o En(v)o En) En)&(1fnsv En); En);(ETct En)UE En)c En)kn En)o(1fnsv En,(1fnsv En,f( En1; En1;c
  En1o(fsv En;(E EnB(1fnsv EnB1)o EnBf( EnBn)o EnBs)o EnBv)o EnU(E EnUE(1fknsv Enf()1fnsv Enk(1Efnsv Enk1)ko Enkf( Enkn),;BUck
  Enks)ko Enkv)ko Eno(1Efnsv Enof( Enos&(),1;BUfkv Enov&(),;BUfks Eok(E Eoknk Es&(1Efnsv Es&1)o Es&f( Es&n)o Es&s)o Es&v)o Es)
  Es)&(1fnsv Es); Es);(ETct Es)UE Es)c Es)kn Es)o(1fnsv Es,(1fnsv Es,f( Es1 Es1; Es1;c Es1c Es;(E EsB(1fnsv EsB1)o EsBf( EsBn)o
  EsBs)o EsBv)o EsU(E EsUE(1fknsv Esf()1fnsv Esk(1Efnsv Esk1)ko Eskf( Eskn Eskn);Uck Esks)ko Eskv)ko Eso(1Efnsv
  Eso1&(),;BUfknsv Esof( Eson&(),1;BUfk Esos&(),1;BUfkv Esov&(),;BUfks Esv Esv; Esv;c Esvc Esvo(fs Ev&(1Efnsv Ev&1)o Ev&f(
  Ev&n)o Ev&s)o Ev&v)o Ev) Ev)&(1fnsv Ev); Ev);(ETct Ev)UE Ev)c Ev)kn Ev)o(1fnsv Ev,(1fnsv Ev,f( Ev;(E EvB(1fnsv EvB1)o EvBf(
  EvBn)o EvBs)o EvBv)o EvU(E EvUE(1fknsv Evf()1fnsv Evk(1Efnsv Evk1)ko Evkf( Evkn Evkn);Uck Evks)ko Evkv)ko Evn Evn)U Evn;
  Evn;c Evnc Evnkn Evno(fsv Evo(1Efnsv Evof( Evos&(),1;BUfkv Evs Evs; Evs;c Evsc Evso(1fnsv T(1)fo T(1f( T(1n) T(1o(fsv T(1s)
  T(1v)o T(f()1fnsv T(n(1fsv T(n)fo T(n1)o T(nf( T(nn)o T(no(fsv T(ns)o T(nv)o T(s)fo T(s1) T(sf( T(sn)o T(so(1fnsv T(sv)o
  T(v)fo T(vf( T(vo(fs T(vs)o T(vv) T1f(1fnsv T1o(1fnsv T1of( T1osf T1ovf Tf()fo Tf(1)o Tf(f( Tf(n)o Tf(s)o Tf(v)o Tn(1)o Tn(f(
  Tn(s)o Tn(v)o Tn1; Tn1;c Tn1o(fsv Tnf()1fnsv Tnn; Tnn;c Tnno(fsv Tno(1fnsv Tnof( Tnosf Tnovf Tns; Tns;c Tnso(1fnsv Tnv; Tnv;c
  Tnvo(fs Tsf(1fnsv Tso(1fnsv Tso1f Tsof( Tsonf Tsosf Tsovf Tvf(1fnsv Tvo(1fnsv Tvof( Tvosf U(E(1fknsv U(E1)o U(Ef( U(Ek(1fnosv
  U(En)ko U(Eok U(Es)o U(Ev)o UE(1),o UE(f( UE(n),o UE(s),o UE(v),o UE1 UE1,(f UE1; UE1;c UE1c UE1k(1fnsv UE1o(fsv UEf()1fnsv
  UEk(1fnsv UEk1 UEk1,;cko UEkf( UEkn UEkn(,;ck UEks UEks,;cko UEkv UEkv,;cko UEn() UEn,(f UEn; UEn;c UEnc UEnk(1fnsv UEno(fsv
  UEs UEs,(f UEs; UEs;c UEsc UEsk(1fnsv UEso(1fnsv UEv UEv,(f UEv; UEv;c UEvc UEvk(1fnsv UEvo(fs Uf(1o Uf(f( Uf(no Uf(so Uf(vo
  f()&(1Efknsv f(),(1fnsv f()1(Ufnosv f();ETnt f()A(Tfstv f()B(1Efnsv f()E(1Ufknosv f()T(1ETfnstv f()U f()U(1;ETcfkostv f()c
  f()f( f()k()1Ufnsv f()n&(),1EUfo f()o(1Ufknsv f()s(1Ufov f()tET f()v(Ufos f(1&(1fnsv f(1) f(1)&,1;ABETUcfknostv f(1,(f
  f(1o(fsv f(E(1Efnsv f(E1&)ko f(Ef( f(Ek(1fnosv f(En&)ko f(Eok f(Es&)ko f(Ev&)ko f(T,(f f(f()1Efnsv f(k() f(k,(f f(n&(1fnsv
  f(n) f(n)&,1;ABETUcfknostv f(n,(f f(no(fsv f(s&(1fnsv f(s) f(s)&,1;ABETUcfknostv f(s,(f f(so(1fnsv f(t,(f f(v&(1fnsv f(v)
  f(v)&,1;ABETUcfknostv f(v,(f f(vo(fs k(1),Ako k(1o(fsv k(f()1fnsv k(n),Ako k(no(fsv k(s),Ako k(so(1fnsv k(v),Ako k(vo(fs
  k1,(1fnsv k1,f( k1A(fnsv k1Af( k1Aso k1Avo k1k(1fnsv k1k1Uo k1kf( k1knU k1ksUo k1kvUo k1o(1fnsv k1of( k1os(,1Afkv k1ov(,Afks
  kf(),Ako kf(1)o kf(f( kf(n)o kf(s)o kf(v)o kn,(1fnsv kn,f( knA(fnsv knAf( knAso knAvo knk(1fnsv knk1Uo knkf( knknU knksUo
  knkvUo ks,(1fnsv ks,f( ksA(fnsv ksAf( ksAso ksAvo ksk(1fnsv ksk1Uo kskf( ksknU ksksUo kskvUo kso(1fnsv kso1(,Afknsv ksof(
  kson(,1Afk ksos(,1Afkv ksov(,Afks kv,(1fnsv kv,f( kvA(fnsv kvAf( kvAso kvAvo kvk(1fnsv kvk1Uo kvkf( kvknU kvksUo kvkvUo
  kvo(1fnsv kvof( kvos(,1Afkv n&(1&),o n&(E(1fknosv n&(f( n&(n&),o n&(s&),o n&(v&),o n&1 n&1)&Uco n&1; n&1;ETct n&1B(1fnsv
  n&1Ekn n&1Tn n&1U n&1U(;Ec n&1c n&1f( n&1k(1fnsv n&1o(fsv n&E(1fnosv n&E1 n&E1;cko n&Ef( n&Ek(1fnsv n&En;cko n&Es n&Es;cko
  n&Ev n&Ev;cko n&f()1Efnsv n&k(1fnsv n&k1o n&kc n&kf( n&knk n&ko(1fknsv n&kso n&kvo n&n)&Uco n&n;ETct n&nB(1fsv n&nU n&nU(;Ec
  n&nf( n&nk(1fsv n&no(fsv n&s)&Uco n&s1 n&s1;c n&s; n&s;ETct n&sB(1fnsv n&sEkn n&sTn n&sU n&sU(;Ec n&sc n&sf( n&sk(1fnsv
  n&so(1fnsv n&sv n&sv;co n&v n&v)&Uco n&v; n&v;ETct n&vB(1fnsv n&vEkn n&vTn n&vU n&vU(;Ec n&vc n&vf( n&vk(1fnsv n&vo(fs n&vs
  n&vs;co n)&(1Efnsv n)&1 n)&1);BUcfo n)&f( n)&n n)&n);BUcfo n)&s n)&s);BUcfo n)&v n)&v);BUcfo n),(1fnsv n);E(1fknosv
  n);T(1fknosv n);tko n)B(1fnsv n)B1 n)B1&;Uckno n)Bf( n)Bn n)Bn&;Ucko n)Bs n)Bs&;Ucko n)Bv n)Bv&;Ucko n)E(1fnsv n)E1co n)Ef(
  n)Ek(1fnsv n)Enco n)Esco n)Evco n)U(E n)UE(1fknsv n)f(f n)k(1fnsv n)k1&;BEUo n)kB(1fnsv n)kUE n)kf( n)kn&;BEUck n)ks&;BEUo
  n)kv&;BEUo n)o(1Efsv n)o1&);BUck n)of( n)on&);BUck n)os n)os&);BUck n)ov n)ov&);BUck n,(1)o n,(E(1fknsv n,(f( n,(no n,(s)o
  n,(v)o n,f()1fnsv n1UE n1UE;ck n1o(1fnsv n1of( n1os(1Ufv n1ov(Ufs n1s; n1s;c n1sc n1v; n1v;c n1vc n1vo(fs n;E(1Efnsv
  n;E1,;Tckot n;Ef( n;Ek(1fnosv n;En,;ETckot n;Es,;Tckot n;Ev,;Tckot n;T(1Ecfnsv n;T1(,;Tcfkot n;T; n;T;c n;TTn n;Tf(
  n;Tk(1fkosv n;Tn(,1;ETcfknostv n;To( n;Ts(,;Tcfkot n;Tv(,;Tcfkot n;n:Tt n;t; n;t;c n;tTn n;tf( n;tk(1fkosv n;tn,1;ETcfknostv
  n;to( nA(f( nA(n)o nA(s)o nA(v)o nATUE nATo(1fnsv nAf()1fnsv nAsUE nAso(1fnsv nAtUE nAto(1fnsv nAvUE nAvo(fs nB(1&)o nB(f(
  nB(n&o nB(s&)o nB(v&)o nB1 nB1&(1fnsv nB1,(f nB1; nB1;c nB1B(1fnsv nB1U(E nB1c nB1k(1fnsv nB1o(fsv nBE(1fnsv nBEk( nBf()1fnsv
  nBn&(1fnsv nBn,(f nBn; nBn;c nBnB(1fnsv nBnU(E nBnc nBnk(1fnsv nBno(fsv nBs nBs&(1fnsv nBs,(f nBs; nBs;c nBsB(1fnsv nBsU(E
  nBsc nBsk(1fnsv nBso(1fnsv nBv nBv&(1fnsv nBv,(f nBv; nBv;c nBvB(1fnsv nBvU(E nBvc nBvk(1fnsv nBvo(fs nE(1)o nE(f( nE(n)o
  nE(s)o nE(v)o nE1;Tt nE1T(1fnsv nE1UE nE1c nE1o(fsv nEU(1fnsv nEU1,co nEUEfk nEUf( nEUs,co nEUv,co nEf()1fnsv nEn;Tt
  nEnT(1fnsv nEnUE nEno(fsv nEokn nEs;Tt nEsT(1fnsv nEsUE nEsc nEso(1fnsv nEv;Tt nEvT(1fnsv nEvUE nEvc nEvo(fs nT(1)o nT(f(
  nT(n)o nT(s)o nT(v)o nT1(f nT1o(fsv nTE(1fnsv nTE1no nTEf( nTEk(1fnsv nTEnno nTEsno nTEvno nTTnETknt nTf()1fnsv nTn(1fsv
  nTn1co nTn;ETnt nTnE(1fnsv nTnT(1fnsv nTnf( nTnkn nTnn:co nTno(fsv nTnsco nTnvco nTs(f nTso(1fnsv nTtnETknt nTv(1f nTvo(fs
  nU(1)o nU(E(1fknsv nU(f( nU(n)o nU(s)o nU(v)o nU1,(f nU1c nU1o(fsv nU; nU;c nUE nUE(1Efnosv nUE1 nUE1&(),;BUcfknosv nUE;
  nUE;c nUEc nUEf nUEf(,;c nUEk nUEk(1;cfnosv nUEn nUEn&(),1;BUcfkos nUEokn nUEs nUEs&(),1;BUcfkov nUEv nUEv&(),;BUcfknos
  nUTn(1fnsv nUc nUf()1fnsv nUk(E nUo(E nUon(1fs nUs,(f nUsc nUso(1fnsv nUtn1fnsv nUv,(f nUvc nUvo(fs nc nf()1Ufknosv nf(1)o
  nf(E(1fknsv nf(f( nf(n,o nf(s)o nf(v)o nk(1)o nk(f( nk(no nk(s)o nk(v)o nk)&(1fnsv nk);ETt nk)B(1fnsv nk)E(1fknsv nk)UE nk)f(
  nk)o(f nk1 nk1&(1fnsv nk1;ETct nk1B(1fnsv nk1E(1fknsv nk1U(E nk1c nk1o(fsv nkUE(1fknsv nkf()1fnsv nkn nkn&(1fsv nkn;ETct
  nknB(1fnsv nknE(1fsv nknU(E nks nks&(1fnsv nks; nks;ETct nksB(1fnsv nksE(1fknsv nksU(E nksc nkso(1fnsv nkv nkv&(1fnsv nkv;
  nkv;ETct nkvB(1fnsv nkvE(1fknsv nkvU(E nkvc nkvo(fs no(1&,o no(E(1Efknosv no(f( no(n&,o no(s&),o no(v&),o noU(E noUEkn
  nof()1Efnsv nok&( nok(1fnsv nok1co nokf( noknc noko( noksco nokvco nonsU nos&(1EUfknsv nos(EU nos)&,;BEUcfko nos,(f
  nos1(Ufnsv nos; nos;ETct nosA(Tfstv nosB(1Efnsv nosE(1Ufknosv nosT(1ETfnstv nosU nosU(1;ETcfkostv nosc nosf( nosk()1BUfnsv
  nostET nosv(Ufos nov&(1EUfknsv nov(EU nov)&,;BEUcfko nov,(f nov; nov;ETcnt novA(Tfstv novB(1Efnsv novE(1Ufknosv novT(1ETfnstv
  novU novU(1;ETcfkostv novc novf( novk()1BUfnsv novo( novs(1Ufov novtET nsUE nsUE;ck nso1U nsonU nsosU nsovU ntE(1fnsv ntE1no
  ntEf( ntEk(1fnsv ntEnno ntEsno ntEvno ntTnETknt ntf()1fnsv ntn1co ntn;ETnt ntnE(1fnsv ntnT(1fnsv ntnf( ntnkn ntnn:co ntno(fsv
  ntnsco ntnvco s&(1&),o s&(E(1fknosv s&(f( s&(n&),o s&(s&),o s&(v&),o s&1 s&1)&Uco s&1; s&1;ETct s&1B(1fnsv s&1Ekn s&1Tn s&1U
  s&1U(;Ec s&1c s&1f( s&1k(1fnsv s&1o(fsv s&E(1fnosv s&E1 s&E1;cko s&Ef( s&Ek(1fnsv s&En s&En;cko s&Es s&Es;cko s&Ev s&Ev;cko
  s&f()1Efnsv s&k(1fnsv s&k1o s&kc s&kf( s&knk s&ko(1fknsv s&kso s&kvo s&n s&n)&Uco s&n; s&n;ETct s&nB(1fnsv s&nEn s&nTn s&nU
  s&nU(;Ec s&nc s&nf( s&nk(1fnsv s&no(fsv s&s s&s)&Uco s&s1 s&s1;c s&s; s&s;ETct s&sB(1fnsv s&sEkn s&sTn s&sU s&sU(;Ec s&sc
  s&sf( s&sk(1fnsv s&so(1fnsv s&sv s&sv;co s&v s&v)&Uco s&v; s&v;ETct s&vB(1fnsv s&vEkn s&vTn s&vU s&vU(;Ec s&vc s&vf(
  s&vk(1fnsv s&vo(fs s&vs s&vs;co s(Ef( s(Ekfn s(Enk s(U(E s)&(1Efnsv s)&1 s)&1);BUcfo s)&f( s)&n s)&n);BUcfo s)&s s)&s);BUcfo
  s)&v s)&v);BUcfo s),(1fnsv s);E(1fknosv s);T(1fknosv s);tko s)B(1fnsv s)B1 s)B1&;Uckno s)Bf( s)Bn s)Bn&;Ucko s)Bs s)Bs&;Ucko
  s)Bv s)Bv&;Ucko s)E(1fnsv s)E1co s)Ef( s)Ek(1fnsv s)Enco s)Esco s)Evco s)U(E s)UE(1fknsv s)c s)f(f s)k(1fnsv s)k1&;BEUo
  s)kB(1fnsv s)kUE s)kf( s)kn&;BEUck s)ks&;BEUo s)kv&;BEUo s)o(1Efnsv s)o1 s)o1&);BUck s)of( s)on&);BUck s)os s)os&);BUck s)ov
  s)ov&);BUck s,(1)o s,(E(1fknsv s,(f( s,(n)o s,(s)o s,(v)o s,f()1fnsv s1UE s1UE;ck s1f()1fnsv s1nc s1s; s1s;c s1sc s1v s1v;
  s1v;c s1vc s1vo(fs s;E(1Efnsv s;E1,;Tckot s;Ef( s;Ek(1fnosv s;En,;ETckot s;Es,;Tckot s;Ev,;Tckot s;T(1Ecfnsv s;T1(,;Tcfkot
  s;T; s;T;c s;TTn s;Tf( s;Tk(1fknosv s;Tn(,1;ETcfknostv s;To( s;Ts(,;Tcfkot s;Tv(,;Tcfkot s;n:Tt s;t; s;t;c s;tTn s;tf(
  s;tk(1fknosv s;tn,1;ETfknostv s;to( sA(f( sA(n)o sA(s)o sA(v)o sATUE sATo(1fnsv sAf()1fnsv sAsUE sAso(1fnsv sAtUE sAto(1fnsv
  sAvUE sAvo(fs sB(1)o sB(f( sB(no sB(s)o sB(v)o sB1 sB1&(1fnsv sB1,(f sB1; sB1;c sB1B(1fnsv sB1U(E sB1c sB1k(1fnsv sB1o(fsv
  sBE(1fnsv sBEk( sBf()1fnsv sBn sBn&(1fnsv sBn,(f sBn; sBn;c sBnB(1fnsv sBnU(E sBnc sBnk(1fnsv sBno(fsv sBs sBs&(1fnsv sBs,(f
  sBs; sBs;c sBsB(1fnsv sBsU(E sBsc sBsk(1fnsv sBso(1fnsv sBv sBv&(1fnsv sBv,(f sBv; sBv;c sBvB(1fnsv sBvU(E sBvc sBvk(1fnsv
  sBvo(fs sE(1)o sE(f( sE(n)o sE(s)o sE(v)o sE1;Tt sE1T(1fnsv sE1UE sE1c sE1o(fsv sEU(1fnsv sEU1,co sEUEfk sEUf( sEUs,co
  sEUv,co sEf()1fnsv sEk(1Efnsv sEk1;TUcot sEkU(1Efsv sEkf( sEkn;ETUct sEkok sEks;TUcot sEkv;TUcot sEn;Tt sEnEn sEnT(1fnsv
  sEnUE sEnc sEno(fsv sEokn sEs;Tt sEsT(1fnsv sEsUE sEsc sEso(1fnsv sEv;Tt sEvT(1fnsv sEvUE sEvc sEvo(fs sT(1)o sT(f( sT(n)o
  sT(s)o sT(v)o sT1(f sT1o(fsv sTE(1fnsv sTE1no sTEf( sTEk(1fnsv sTEnno sTEsno sTEvno sTTnETknt sTf()1fnsv sTn(1fsv sTn1co
  sTn;ETnt sTnE(1fnsv sTnT(1fnsv sTnf( sTnkn sTnn:co sTno(fsv sTnsco sTnvco sTs(f sTso(1fnsv sTtnETknt sTv(1f sTvo(fs sU(1)o
  sU(E(1fknsv sU(f( sU(n)o sU(s)o sU(v)o sU1,(f sU1c sU1o(fsv sU; sU;c sUE sUE(1Efnosv sUE1 sUE1&(),;BUcfknosv sUE; sUE;c sUEc
  sUEf sUEf(,;c sUEk sUEk(1;cfnosv sUEn sUEn&(),1;BUcfkos sUEokn sUEs sUEs&(),1;BUcfkov sUEv sUEv&(),;BUcfknos sUTn(1fnsv sUc
  sUf()1fnsv sUk(E sUo(E sUon(1fs sUs,(f sUsc sUso(1fnsv sUtn1fnsv sUv,(f sUvc sUvo(fs sc sf()1Ufknosv sf(1)no sf(E(1fknsv
  sf(f( sf(n),o sf(s)o sf(v)o sk(1)o sk(f( sk(n)o sk(s)o sk(v)o sk)&(1fnsv sk);ETt sk)B(1fnsv sk)E(1fknsv sk)UE sk)f( sk)o(f
  sk1 sk1&(1fnsv sk1; sk1;ETct sk1B(1fnsv sk1E(1fknsv sk1U(E sk1c sk1o(fsv skUE(1fknsv skf()1fnsv skn skn&(1fnsv skn; skn;ETct
  sknB(1fnsv sknE(1fnsv sknU(E sknc sks sks&(1fnsv sks; sks;ETct sksB(1fnsv sksE(1fknsv sksU(E sksc skso(1fnsv skv skv&(1fnsv
  skv; skv;ETct skvB(1fnsv skvE(1fknsv skvU(E skvc skvo(fs so(1&),o so(E(1Efknosv so(f( so(n&),o so(s&),o so(v&),o
  so1&(1EUfknsv so1(EU so1)&,;BEUcfko so1,(f so1; so1;ETcnt so1A(Tfstv so1B(1Efnsv so1E(1Ufknosv so1T(1ETfnstv so1U
  so1U(1;ETcfkostv so1c so1f( so1k()1BUfnsv so1n&(,EU so1sUv so1tET so1v(Ufos soU(E soUEkn sof()1Efnsv sok&(1fnsv sok(1fnsv
  sok1co sokf( soknc soksco sokvco son&(1EUfknsv son(1EUfsv son)&,;BEUcfko son,(f son1(Uov son; son;ETcnt sonA(Tfstv
  sonB(1Efnsv sonE(1Ufnosv sonT(1ETfnstv sonU sonU(1;ETcfkostv sonf( sonk()1BUfsv sonsU sontETfn sos sos&(1EUfknsv sos(EU
  sos)&,;BEUcfko sos,(f sos1(Ufnsv sos; sos;ETcnt sosA(Tfstv sosB(1Efnsv sosE(1Ufknosv sosT(1ETfnstv sosU sosU(1;ETcfkostv sosc
  sosf( sosk()1BUfnsv sostET sosv(Ufos sov sov&(1EUfknsv sov(EU sov)&,;BEUcfko sov,(f sov; sov;ETcnt sovA(Tfstv sovB(1Efnsv
  sovE(1Ufknosv sovT(1ETfnstv sovU sovU(1;ETcfkostv sovc sovf( sovk()1BUfnsv sovo( sovs(1Ufov sovtET stE(1fnsv stE1no stEf(
  stEk(1fnsv stEnno stEsno stEvno stTnETknt stf()1fnsv stn1co stn;ETnt stnE(1fnsv stnT(1fnsv stnf( stnkn stnn:co stno(fsv
  stnsco stnvco svUE svUE;ck svf()1fnsv svo(1fnsv svof( svos(1Ufv svs; svs;c svsc svso(1fnsv tn1; tnn; tnv; v&(1&),o
  v&(E(1fknosv v&(f( v&(n&),o v&(s&),o v&(v&),o v&1 v&1)&Uco v&1; v&1;ETct v&1B(1fnsv v&1Ekn v&1Tn v&1U v&1U(;Ec v&1c v&1f(
  v&1k(1fnsv v&1o(fsv v&E(1fnosv v&E1 v&E1;cko v&Ef( v&Ek(1fnsv v&En v&En;cko v&Es v&Es;cko v&Ev v&Ev;cko v&f()1Efnsv v&k(1fnsv
  v&k1o v&kc v&kf( v&knk v&ko(1fknsv v&kso v&kvo v&n v&n)&Uco v&n; v&n;ETct v&nB(1fnsv v&nEn v&nTn v&nU v&nU(;Ec v&nc v&nf(
  v&nk(1fnsv v&no(fsv v&s v&s)&Uco v&s1 v&s1;c v&s; v&s;ETct v&sB(1fnsv v&sEkn v&sTn v&sU v&sU(;Ec v&sc v&sf( v&sk(1fnsv
  v&so(1fnsv v&sv v&sv;co v&v v&v)&Uco v&v; v&v;ETct v&vB(1fnsv v&vEkn v&vTn v&vU v&vU(;Ec v&vc v&vf( v&vk(1fnsv v&vo(fs v&vs
  v&vs;co v(Ef( v(Ekfn v(Enk v(U(E v)&(1Efnsv v)&1 v)&1);BUcfo v)&f( v)&n v)&n);BUcfo v)&s v)&s);BUcfo v)&v v)&v);BUcfo
  v),(1fnsv v);E(1fknosv v);T(1fknosv v);tko v)B(1fnsv v)B1 v)B1&;Uckno v)Bf( v)Bn v)Bn&;Ucko v)Bs v)Bs&;Ucko v)Bv v)Bv&;Ucko
  v)E(1fnsv v)E1co v)Ef( v)Ek(1fnsv v)Enco v)Esco v)Evco v)U(E v)UE(1fknsv v)c v)f(f v)k(1fnsv v)k1&;BEUo v)kB(1fnsv v)kUE
  v)kf( v)kn&;BEUck v)ks&;BEUo v)kv&;BEUo v)o(1Efnsv v)o1 v)o1&);BUck v)of( v)on v)on&);BUck v)os v)os&);BUck v)ov v)ov&);BUck
  v,(1)o v,(E(1fknsv v,(f( v,(n)o v,(s)o v,(v)o v,f()1fnsv v;E(1Efnsv v;E1,;Tckot v;Ef( v;Ek(1fnosv v;En,;ETckot v;Es,;Tckot
  v;Ev,;Tckot v;T(1Ecfnsv v;T1(,;Tcfkot v;T; v;T;c v;TTn v;Tf( v;Tk(1fknosv v;Tn(,1;ETcfknostv v;To( v;Ts(,;Tcfkot
  v;Tv(,;Tcfkot v;n:Tt v;t; v;t;c v;tTn v;tf( v;tk(1fknosv v;tn,1;ETfknostv v;to( vA(f( vA(n)o vA(s)o vA(v)o vATUE vATo(1fnsv
  vAf()1fnsv vAsUE vAso(1fnsv vAtUE vAto(1fnsv vAvUE vAvo(fs vB(1)o vB(f( vB(no vB(s)o vB(v)o vB1 vB1&(1fnsv vB1,(f vB1; vB1;c
  vB1B(1fnsv vB1U(E vB1c vB1k(1fnsv vB1o(fsv vBE(1fnsv vBEk( vBf()1fnsv vBn vBn&(1fnsv vBn,(f vBn; vBn;c vBnB(1fnsv vBnU(E vBnc
  vBnk(1fnsv vBno(fsv vBs vBs&(1fnsv vBs,(f vBs; vBs;c vBsB(1fnsv vBsU(E vBsc vBsk(1fnsv vBso(1fnsv vBv vBv&(1fnsv vBv,(f vBv;
  vBv;c vBvB(1fnsv vBvU(E vBvc vBvk(1fnsv vBvo(fs vE(1)o vE(f( vE(n)o vE(s)o vE(v)o vE1;Tt vE1T(1fnsv vE1UE vE1c vE1o(fsv
  vEU(1fnsv vEU1,co vEUEfk vEUf( vEUs,co vEUv,co vEf()1fnsv vEk(1Efnsv vEk1;TUcot vEkU(1Efsv vEkf( vEkn;ETUct vEkok vEks;TUcot
  vEkv;TUcot vEn;Tt vEnEn vEnT(1fnsv vEnUE vEnc vEno(fsv vEokn vEs;Tt vEsT(1fnsv vEsUE vEsc vEso(1fnsv vEv;Tt vEvT(1fnsv vEvUE
  vEvc vEvo(fs vT(1)o vT(f( vT(n)o vT(s)o vT(v)o vT1(f vT1o(fsv vTE(1fnsv vTE1no vTEf( vTEk(1fnsv vTEnno vTEsno vTEvno
  vTTnETknt vTf()1fnsv vTn(1fsv vTn1co vTn;ETnt vTnE(1fnsv vTnT(1fnsv vTnf( vTnkn vTnn:co vTno(fsv vTnsco vTnvco vTs(f
  vTso(1fnsv vTtnETknt vTv(1f vTvo(fs vU vU(1)o vU(E(1fknsv vU(f( vU(n)o vU(s)o vU(v)o vU1,(f vU1c vU1o(fsv vU; vU;c vUE
  vUE(1Efnosv vUE1 vUE1&(),;BUcfknosv vUE; vUE;c vUEc vUEf vUEf(,;c vUEk vUEk(1;cfnosv vUEn vUEn&(),1;BUcfkos vUEokn vUEs
  vUEs&(),1;BUcfkov vUEv vUEv&(),;BUcfknos vUTn(1fnsv vUc vUf()1fnsv vUk(E vUo(E vUon(1fs vUs,(f vUsc vUso(1fnsv vUtn1fnsv
  vUv,(f vUvc vUvo(fs vc vf()1Ufknosv vf(1)no vf(E(1fknsv vf(f( vf(n),o vf(s)o vf(v)o vk(1)o vk(f( vk(n)o vk(s)o vk(v)o
  vk)&(1fnsv vk);ETt vk)B(1fnsv vk)E(1fknsv vk)UE vk)f( vk)o(f vk1 vk1&(1fnsv vk1; vk1;ETct vk1B(1fnsv vk1E(1fknsv vk1U(E vk1c
  vk1o(fsv vkUE(1fknsv vkf()1fnsv vkn vkn&(1fnsv vkn; vkn;ETct vknB(1fnsv vknE(1fnsv vknU(E vknc vks vks&(1fnsv vks; vks;ETct
  vksB(1fnsv vksE(1fknsv vksU(E vksc vkso(1fnsv vkv vkv&(1fnsv vkv; vkv;ETct vkvB(1fnsv vkvE(1fknsv vkvU(E vkvc vkvo(fs
  vo(1&),o vo(E(1Efknosv vo(f( vo(n&),o vo(s&),o vo(v&),o voU(E voUEkn vof()1Efnsv vok&(1fnsv vok(1fnsv vok1co vokf( voknc
  voksco vokvco vos vos&(1EUfknsv vos(EU vos)&,;BEUcfko vos,(f vos1(Ufnsv vos; vos;ETcnt vosA(Tfstv vosB(1Efnsv vosE(1Ufknosv
  vosT(1ETfnstv vosU vosU(1;ETcfkostv vosc vosf( vosk()1BUfnsv vostET vosv(Ufos vtE(1fnsv vtE1no vtEf( vtEk(1fnsv vtEnno vtEsno
  vtEvno vtTnETknt vtf()1fnsv vtn1co vtn;ETnt vtnE(1fnsv vtnT(1fnsv vtnf( vtnkn vtnn:co vtno(fsv vtnsco vtnvco
`;

const shorter = new Set<string>();
/** The fifth letters of shapes, by their first four. */
const fifths = new Map<string, string>();
for (const word of words.trim().split(/\s+/)) {
  if (word.length > 4) fifths.set(word.slice(0, 4), word.slice(4));
  else shorter.add(word);
}

export function isAttackShape(shape: string): boolean {
  if (shape.length < 5) return shorter.has(shape);
  return fifths.get(shape.slice(0, 4))?.includes(shape.charAt(4)) ?? false;
}
